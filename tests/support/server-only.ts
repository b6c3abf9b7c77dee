/** Stands in for the marker package, which refuses to load outside a server build. */
export {}
