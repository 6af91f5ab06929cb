"""Runs a command line (the arguments, then a program of its own) on a terminal, presses Ctrl-C, sends SIGTERM to the
command line's process, and prints what the terminal showed: the program counts the interrupts it got."""

import os
import pty
import signal
import sys

PROGRAM = """
import os, signal
count = 0
def interrupted(number, frame):
    global count
    count += 1
    os.write(1, b"interrupted\\n")  # print() may not be entered again by the other handler
def ended(number, frame):
    os.write(1, b"interrupts %d\\n" % count)
    os._exit(0)
signal.signal(signal.SIGINT, interrupted)
signal.signal(signal.SIGTERM, ended)
os.write(1, b"up\\n")
while True:
    signal.pause()
"""

words = sys.argv[1:] + [sys.executable, "-c", PROGRAM]
child, terminal = pty.fork()
if child == 0:
    os.execv(words[0], words)

shown = b""


def wait_for(text):
    global shown
    while text not in shown:
        shown += os.read(terminal, 4096)
    while not shown.endswith(b"\n"):
        shown += os.read(terminal, 4096)


wait_for(b"up")
os.write(terminal, b"\x03")
wait_for(b"interrupted")
# Signals are passed on in their order: an interrupt that was passed on as well has come before this one.
os.kill(child, signal.SIGTERM)
wait_for(b"interrupts")
_, status = os.waitpid(child, 0)
sys.stdout.write(shown.decode())
sys.exit(os.waitstatus_to_exitcode(status))
