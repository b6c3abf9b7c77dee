/** Figures as a table, for the terminal and for docs/performance.md. */
import { cpus } from 'node:os'
import { type Figure, verdictOf } from './figure'

export type Section = { title: string; how: string; figures: readonly Figure[]; leftOut?: string }

const written = (value: number) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2))

function rowOf(figure: Figure): string {
  const bar = (value: number | undefined) => (value === undefined ? '' : `${figure.more ? '≥' : '≤'} ${value} ${figure.unit}`)
  return `| ${figure.what} | ${written(figure.value)} ${figure.unit} | ${bar(figure.target)} | ${bar(figure.floor)} | ${verdictOf(figure)} |`
}

/** A section as Markdown. */
export function renderSection({ title, how, figures, leftOut }: Section): string {
  if (leftOut !== undefined) return `## ${title}\n\nLeft out: ${leftOut}\n`
  const head = '| what | measured | target | floor | |\n| --- | --- | --- | --- | --- |'
  return `## ${title}\n\n${how}\n\n${head}\n${figures.map(rowOf).join('\n')}\n`
}

/** The page docs/performance.md: everything measured in one run, with machine and date. */
export function renderPage(sections: readonly Section[], date: Date): string {
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}, ${process.platform}`
  return `# Performance

Measured by \`npm run bench -- --write\` on ${date.toISOString().slice(0, 10)}: ${machine}. Load, test service and browser ran
on the same machine as what they measured. Ratios compare things within one run; absolute figures are this machine's.

${sections.map(renderSection).join('\n')}`
}
