// Verifies chains with crypto/x509: the root alone is trusted.
//
//	go run verify_chains.go FOLDER NAME...    FOLDER/NAME holds root.pem, chain.pem (leaf first) and host
//
// Prints one line a name: "NAME ok" or "NAME refused: REASON".
package main

import (
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func read(path string) []byte {
	content, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	return content
}

func verify(folder string) error {
	roots, between := x509.NewCertPool(), x509.NewCertPool()
	roots.AppendCertsFromPEM(read(filepath.Join(folder, "root.pem")))
	block, rest := pem.Decode(read(filepath.Join(folder, "chain.pem")))
	leaf, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return err
	}
	between.AppendCertsFromPEM(rest)
	host := strings.TrimSpace(string(read(filepath.Join(folder, "host"))))
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	_, err = leaf.Verify(x509.VerifyOptions{
		DNSName: host, Roots: roots, Intermediates: between,
		KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	})
	return err
}

func main() {
	for _, name := range os.Args[2:] {
		if err := verify(filepath.Join(os.Args[1], name)); err != nil {
			fmt.Printf("%s refused: %s\n", name, err)
		} else {
			fmt.Printf("%s ok\n", name)
		}
	}
}
