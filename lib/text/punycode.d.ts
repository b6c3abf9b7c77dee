/** The part of punycode.js that is used here. The package has no types. Its default export is the one that Node and bundlers agree on. */
declare module 'punycode.js' {
  const punycode: {
    /** Throws a RangeError for anything that is no punycode. */
    decode(label: string): string
  }
  export default punycode
}
