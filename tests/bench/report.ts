/** Figures as a table, for the terminal and for docs/performance.md. */
import { cpus } from 'node:os'
import { type Figure, verdictOf } from './figure'

export type Section = { title: string; how: string; figures: readonly Figure[]; leftOut?: string }

const written = (value: number) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2))

function rowOf(figure: Figure): string {
  const bar = (value: number | undefined) => (value === undefined ? '' : `${figure.more ? '≥' : '≤'} ${value} ${figure.unit}`)
  return `| ${figure.what} | ${written(figure.value)} ${figure.unit} | ${bar(figure.target)} | ${bar(figure.floor)} | ${verdictOf(figure)} |`
}

/** A section as Markdown, for the terminal. */
export function renderSection({ title, how, figures, leftOut }: Section): string {
  if (leftOut !== undefined) return `## ${title}\n\nLeft out: ${leftOut}\n`
  const head = '| what | measured | target | floor | |\n| --- | --- | --- | --- | --- |'
  return `## ${title}\n\n${how}\n\n${head}\n${figures.map(rowOf).join('\n')}\n`
}

/** The page docs/performance.md: sections that were measured now take the place of earlier ones, others stay. Each tells its date and machine. */
export function renderPage(page: string, sections: readonly Section[], date: Date): string {
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}, ${process.platform}`
  const [head = '', ...present] = page.split(/^(?=## )/m)
  const known = new Map(present.map((text) => [titleOf(text), `${text.trimEnd()}\n\n`]))
  for (const section of sections) {
    const measured = `Measured on ${date.toISOString().slice(0, 10)}: ${machine}.`
    known.set(section.title, `${renderSection(section).trimEnd()}\n\n${measured}\n\n`)
  }
  return `${head}${[...known.values()].join('')}`.replace(/\n+$/, '\n')
}

const titleOf = (text: string): string => /^## (.*)/.exec(text)?.[1] ?? ''
