/** Draws a QR code as the path of an SVG. */
import 'server-only'
import { create } from 'qrcode'

/** size: modules per side, without the quiet zone around. path: the dark modules, one unit each. */
export type QrDrawing = { size: number; path: string }

export function drawQr(text: string): QrDrawing {
  const { modules } = create(text, { errorCorrectionLevel: 'M' })
  const dark = Array.from(modules.data).flatMap((bit, index) => (bit === 0 ? [] : [index]))
  const path = dark.map((index) => `M${index % modules.size} ${Math.floor(index / modules.size)}h1v1h-1z`).join('')
  return { size: modules.size, path }
}
