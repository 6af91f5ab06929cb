// swift-format-ignore-file
// Made by scripts/embed-pages of the files beside it: change those, then run it.

/// local.html, local.css
enum LocalPageFiles {
    static let html = #"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>waf-token-proxy: set-up</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
</head>
<body>
<main>
<h1>You are using waf-token-proxy</h1>
<p>This page comes from the proxy itself: your client finds it.</p>
@CONTENT@
</main>
</body>
</html>

"""#
    static let css = #"""
:root { color-scheme: light dark; --text: #1c2024; --soft: #5a6470; --line: #d5dae0; --page: #f5f6f8; --card: #fff; --accent: #0b5cad;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e9ed; --soft: #a3adb8; --line: #39414a; --page: #14171a; --card: #1d2226; --accent: #7db8f5; }
}
* { box-sizing: border-box; }
body { margin: 0; color: var(--text); background: var(--page); }
main { max-width: 46rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.35rem; }
h2 { font-size: 1.1rem; margin-top: 1.5rem; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
code { display: block; font: .875em/1.45 ui-monospace, "DejaVu Sans Mono", Menlo, monospace; background: var(--card); border: 1px solid var(--line);
  border-radius: 6px; padding: .4rem .6rem; white-space: pre-wrap; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .4rem 1rem; align-items: baseline; }
dd { margin: 0; min-width: 0; }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; gap: .2rem; } dd { margin-bottom: .5rem; } }

"""#
}
