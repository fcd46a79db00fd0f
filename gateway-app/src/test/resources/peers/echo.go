// An upstream that shows every way of answering by Go's net/http; echo.js beside it serves the same paths.
// Arguments: milliseconds that idle connections are kept. Prints its port.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

var (
	waiting = make(chan struct{})
	lock    sync.Mutex
)

func pattern(count int) []byte {
	content := make([]byte, count)
	for i := range content {
		content[i] = byte(i % 251)
	}
	return content
}

func text(w http.ResponseWriter, content string) {
	w.Header().Set("Content-Type", "text/plain")
	w.Header().Set("Content-Length", strconv.Itoa(len(content)))
	io.WriteString(w, content)
}

func count(r *http.Request) int {
	n, _ := strconv.Atoi(r.URL.Query().Get("count"))
	return n
}

func echo(w http.ResponseWriter, r *http.Request) {
	http.NewResponseController(w).EnableFullDuplex()
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Trailer", "X-Sum")
	io.Copy(w, r.Body)
	sum := r.Trailer.Get("X-Sum")
	if sum == "" {
		sum = "none"
	}
	w.Header().Set("X-Sum", sum)
}

func digest(w http.ResponseWriter, r *http.Request) {
	hash := sha256.New()
	io.Copy(hash, r.Body)
	text(w, fmt.Sprintf("%x", hash.Sum(nil)))
}

func chunks(w http.ResponseWriter, r *http.Request) {
	for left := count(r); left > 0; left -= 10040 {
		w.Write(pattern(min(10040, left)))
		w.(http.Flusher).Flush()
	}
}

func packed(w http.ResponseWriter, _ *http.Request) {
	var content bytes.Buffer
	writer := gzip.NewWriter(&content)
	io.WriteString(writer, strings.Repeat("packed ", 1000))
	writer.Close()
	w.Header().Set("Content-Encoding", "gzip")
	text(w, content.String())
}

func events(w http.ResponseWriter, _ *http.Request) {
	lock.Lock()
	released := waiting
	lock.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	io.WriteString(w, "data: first\n\n")
	w.(http.Flusher).Flush()
	<-released
	io.WriteString(w, "data: second\n\n")
}

func release(w http.ResponseWriter, _ *http.Request) {
	lock.Lock()
	close(waiting)
	waiting = make(chan struct{})
	lock.Unlock()
	text(w, "released")
}

// Hangs up after these bytes.
func broken(begun string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		connection, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		io.WriteString(connection, begun)
		connection.Close()
	}
}

func fields(w http.ResponseWriter, r *http.Request) {
	lines := []string{}
	for name, values := range r.Header {
		for _, value := range values {
			lines = append(lines, name+": "+value)
		}
	}
	sort.Strings(lines)
	text(w, strings.Join(append([]string{r.Proto, "Host: " + r.Host}, lines...), "\n"))
}

func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { text(w, "hello") })
	http.HandleFunc("/echo", echo)
	http.HandleFunc("/digest", digest)
	http.HandleFunc("/bytes", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", r.URL.Query().Get("count"))
		w.Write(pattern(count(r)))
	})
	http.HandleFunc("/chunks", chunks)
	http.HandleFunc("/gzip", packed)
	http.HandleFunc("/none", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) })
	http.HandleFunc("/same", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("ETag", "\"a\"")
		w.WriteHeader(304)
	})
	http.HandleFunc("/events", events)
	http.HandleFunc("/release", release)
	http.HandleFunc("/early", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "close")
		w.WriteHeader(413)
		io.WriteString(w, "too large")
	})
	http.HandleFunc("/refused", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(417) })
	http.HandleFunc("/broken", broken("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nbegun"))
	http.HandleFunc("/broken-chunks", broken("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nbegun\r\n"))
	http.HandleFunc("/gone", broken(""))
	http.HandleFunc("/fields", fields)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	idle, _ := strconv.Atoi(os.Args[1])
	fmt.Println("port", listener.Addr().(*net.TCPAddr).Port)
	server := http.Server{IdleTimeout: time.Duration(idle) * time.Millisecond}
	server.Serve(listener)
}
