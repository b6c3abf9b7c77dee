/** The part of tr46 that is used here. The package has no types. */
declare module 'tr46' {
  /** Null if the text is no domain name. */
  export function toASCII(domain: string, options: { checkBidi: boolean; checkJoiners: boolean }): string | null
}
