/** A figure at a moment; null if unknown. Both in any unit. */
export type Spot = { at: number; value: number | null }

type Frame = { from: number; to: number; top: number; width: number; height: number; bridge: number }

/**
 * SVG paths through the points: the line, and the area below it. A gap longer than `bridge` interrupts both; a single point becomes a
 * dot. Points outside the frame are drawn at its edge.
 */
export function drawLine(spots: readonly Spot[], frame: Frame): { line: string; area: string } {
  const parts = split(spots, frame.bridge).map((part) => part.map(({ at, value }) => ({ x: placeX(at, frame), y: placeY(value, frame) })))
  const line = parts.map((part) => trace(part) + (part.length === 1 ? 'h0' : ''))
  const area = parts.map((part) => {
    const [first, last] = [part[0], part.at(-1)]
    return first && last && part.length > 1 ? `${trace(part)}L${last.x} ${frame.height}L${first.x} ${frame.height}z` : ''
  })
  return { line: line.join(''), area: area.join('') }
}

type Known = { at: number; value: number }

function split(spots: readonly Spot[], bridge: number): Known[][] {
  const parts: Known[][] = []
  for (const { at, value } of spots) {
    if (value === null) continue
    const part = parts.at(-1)
    const before = part?.at(-1)
    if (part && before && at - before.at <= bridge) part.push({ at, value })
    else parts.push([{ at, value }])
  }
  return parts
}

const tenth = (figure: number): number => Math.round(figure * 10) / 10

const within = (share: number): number => Math.min(1, Math.max(0, share))

const placeX = (at: number, { from, to, width }: Frame): number => tenth(within((at - from) / (to - from)) * width)

const placeY = (value: number, { top, height }: Frame): number => tenth((1 - within(value / top)) * height)

const trace = (part: readonly { x: number; y: number }[]): string => part.map(({ x, y }, index) => `${index ? 'L' : 'M'}${x} ${y}`).join('')
