/**
 * `npm test`: installs what is missing, then runs the parts one after another and says how it went in its last line.
 *
 *     npm test                       every part: check, unit, hosts, browser
 *     npm test -- unit               one part or several
 *     npm test -- --all              a part that cannot run here is a failure (as it is with CI=true), and tests may use
 *                                    only programs that they brought: path.mjs
 *
 * Plain JavaScript on Node alone: in a fresh clone nothing else is there yet.
 */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateClients } from '../../lib/launcher/generate.mjs'
import { installDependencies } from '../../lib/launcher/install.mjs'
import { parts } from './parts.mjs'
import { cutPath } from './path.mjs'
import { add, failedOnce, leftOutLine, nothing, summaryLine } from './tally.mjs'

process.chdir(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))
const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`)
const seconds = (/** @type {number} */ since) => `${Math.round((Date.now() - since) / 100) / 10} s`

const given = process.argv.slice(2)
const strict = given.includes('--all') || process.env.CI === 'true'
const wanted = given.filter((word) => word !== '--all')
const unknown = wanted.filter((word) => !Object.hasOwn(parts, word))
if (unknown.length > 0) {
  process.stderr.write(`There is no part ${unknown.join(', ')}. The parts are ${Object.keys(parts).join(', ')}.\n`)
  process.exit(2)
}

/**
 * A part that throws has failed; the others still run.
 * @param {string} name @param {() => import('./tally.mjs').Tally | Promise<import('./tally.mjs').Tally>} part
 */
async function runPart(name, part) {
  const since = Date.now()
  say(`\n== ${name} ==`)
  try {
    const tally = await part()
    const reason = tally.leftOut
    if (reason !== undefined) say(leftOutLine(name, reason))
    const counted = reason !== undefined && strict ? { ...failedOnce, leftOut: reason } : tally
    return { name, tally: counted, took: seconds(since) }
  } catch (error) {
    say(error instanceof Error ? error.message : String(error))
    return { name, tally: failedOnce, took: seconds(since) }
  }
}

mkdirSync('tests/output', { recursive: true })
if (strict && !cutPath('tests/output/programs')) say('This is no Debian: the tests may use every program that is there.')
const ready = await runPart('install', async () => {
  await installDependencies()
  await generateClients()
  return nothing
})
const names = wanted.length > 0 ? wanted : Object.keys(parts)
const results = [ready]
if (ready.tally.failed === 0)
  for (const [name, part] of Object.entries(parts)) if (names.includes(name)) results.push(await runPart(name, part))

say('')
for (const { name, tally, took } of results) say(`${name.padEnd(8)} ${summaryLine(tally).padEnd(40)} ${took}`)
for (const { name, tally } of results) if (tally.leftOut !== undefined) say(leftOutLine(name, tally.leftOut))
for (const { tally } of results) for (const line of tally.secondTries ?? []) say(`passed at the second try: ${line}`)
for (const { tally } of results) for (const line of tally.failures ?? []) say(`failed: ${line}`)
const total = results.reduce((sum, { tally }) => add(sum, tally), nothing)
say(summaryLine(total))
process.exitCode = total.failed === 0 ? 0 : 1
