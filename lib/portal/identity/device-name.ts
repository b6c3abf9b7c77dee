/** Names a browser from its user agent. Only for users to recognise their own browsers, because clients can send any text. */
import 'server-only'

/** The first match counts, because most browsers also name the ones further down. */
const browsers = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\/|\bChromium\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
] as const

const systems = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const

/** "Firefox on Linux", or only the part that is known. */
export function nameDevice(userAgent: string): string {
  const browser = browsers.find(([sign]) => sign.test(userAgent))?.[1]
  const system = systems.find(([sign]) => sign.test(userAgent))?.[1]
  if (!browser) return system ? `A browser on ${system}` : 'An unknown browser'
  return system ? `${browser} on ${system}` : browser
}
