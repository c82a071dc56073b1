"""One search from `go` to its choice, in plain Python: iterations, threads (Lazy SMP), time, chances."""
