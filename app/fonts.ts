/** The two typefaces, hashed and preloaded from the npm packages; other scripts use system fonts. */
import localFont from 'next/font/local'

export const textFont = localFont({
  src: '../node_modules/@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2',
  variable: '--font-next',
  weight: '200 800',
  display: 'swap',
  adjustFontFallback: 'Arial',
})

export const codeFont = localFont({
  src: '../node_modules/@fontsource-variable/atkinson-hyperlegible-mono/files/atkinson-hyperlegible-mono-latin-wght-normal.woff2',
  variable: '--font-code',
  weight: '200 800',
  display: 'swap',
  adjustFontFallback: false,
})
