/**
 * `npm test`: installs what is missing, then runs the parts one after another and says how it went in its last line.
 *
 *     npm test                       every part: check, unit, clients, and of hosts and browser the critical files and others in turns (turns.mjs)
 *     npm test -- unit               one part or several
 *     npm test -- --quick            most unit tests and one journey in a browser, in minutes; says what it leaves out
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
import { groups, quickGroups } from './parts.mjs'
import { cutPath } from './path.mjs'
import { slowFiles } from './slow-files.mjs'
import { add, failedOnce, leftOutLine, nothing, summaryLine } from './tally.mjs'

process.chdir(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))
const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`)
const seconds = (/** @type {number} */ since) => `${Math.round((Date.now() - since) / 100) / 10} s`

const given = process.argv.slice(2)
const quick = given.includes('--quick')
const strict = given.includes('--all') || process.env.CI === 'true'
const wanted = given.filter((word) => word !== '--all' && word !== '--quick')
const known = groups.flatMap(({ parts }) => parts)
const unknown = wanted.filter((word) => !known.includes(word))
if (unknown.length > 0) refuse(`There is no part ${unknown.join(', ')}. The parts are ${known.join(', ')}.`)
if (quick && given.length > 1) refuse('--quick stands alone.')

/** @param {string} why */
function refuse(why) {
  process.stderr.write(`${why}\n`)
  process.exit(2)
}

/** @param {import('./tally.mjs').Tally} tally */
const countLeftOut = (tally) => (tally.leftOut !== undefined && strict ? { ...tally, failed: tally.failed + 1 } : tally)

/**
 * Parts that throw have failed; the others still run.
 * @param {readonly string[]} names @param {() => Promise<Record<string, import('./tally.mjs').Tally>>} run
 */
async function runGroup(names, run) {
  const since = Date.now()
  say(`\n== ${names.join(' and ')} ==`)
  /** @type {Record<string, import('./tally.mjs').Tally>} */
  let tallies = {}
  try {
    tallies = await run()
  } catch (error) {
    say(error instanceof Error ? error.message : String(error))
  }
  const took = `${seconds(since)}${names.length > 1 ? ' together' : ''}`
  return names.map((name) => {
    const tally = tallies[name] ?? failedOnce
    if (tally.leftOut !== undefined) say(leftOutLine(name, tally.leftOut))
    return { name, tally: countLeftOut(tally), took }
  })
}

mkdirSync('tests/output', { recursive: true })
if (strict && !cutPath('tests/output/programs')) say('This is no Debian: the tests may use every program that is there.')
const results = await runGroup(['install'], async () => {
  await installDependencies()
  await generateClients()
  return { install: nothing }
})
const names = wanted.length > 0 ? wanted : known
for (const { parts, run } of quick ? quickGroups : groups) {
  const asked = parts.filter((part) => names.includes(part))
  if (asked.length > 0 && results[0]?.tally.failed === 0) results.push(...(await runGroup(asked, () => run(asked))))
}

say('')
for (const { name, tally, took } of results) say(`${name.padEnd(8)} ${summaryLine(tally).padEnd(40)} ${took}`)
for (const { name, tally } of results) if (tally.leftOut !== undefined) say(leftOutLine(name, tally.leftOut))
for (const { tally } of results) for (const line of tally.noTurn ?? []) say(`no turn in this run: ${line}`)
for (const { tally } of results) for (const line of tally.secondTries ?? []) say(`passed at the second try: ${line}`)
for (const { tally } of results) for (const line of tally.failures ?? []) say(`failed: ${line}`)
if (quick) for (const [file, why] of Object.entries(slowFiles)) say(`left out by --quick: ${file} (${why})`)
if (quick) say('left out by --quick: check, clients, hosts, and every browser test but one journey')
const total = results.reduce((sum, { tally }) => add(sum, tally), nothing)
say(summaryLine(total))
process.exitCode = total.failed === 0 ? 0 : 1
