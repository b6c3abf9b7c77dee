/** The parts of `npm test`, in the order in which they run. Each says how it went, or why it cannot run on this machine. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { buildPortal } from '../../lib/launcher/build.mjs'
import { chromiumMissing } from './chromium.mjs'
import { clientsMissing } from './clients.mjs'
import { environmentOf, findNode, planNodes } from './node-turns.mjs'
import { forgetOutsideTests, readOutsideTests } from './outside-tests.mjs'
import { installMissing, packages } from './packages.mjs'
import { runPytest } from './pytest.mjs'
import { secondTry } from './second-try.mjs'
import { slowFiles } from './slow-files.mjs'
import {
  add,
  addHookErrors,
  countTests,
  failedOnce,
  failureLines,
  leftOut,
  nothing,
  passedOnce,
  readReport,
  reportOf,
  secondTryLines,
} from './tally.mjs'
import { filesAtOnce, planTurns } from './turns.mjs'

/** @typedef {import('./tally.mjs').Tally} Tally */
/** @typedef {'unit' | 'mocks' | 'postgresql' | 'clients' | 'real'} Project a project of vitest.config.ts */

/** Types, style, borders, dead code, shell scripts and types of Python count as one test together. */
function check() {
  return spawnSync('npm', ['run', '--silent', 'check'], { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0 ? passedOnce : failedOnce
}

/**
 * Runs files of one or two projects of vitest.config.ts, which take them from one queue. Those of `real` that fail run once more: decision
 * 015.
 * @param {readonly Project[]} projects
 * @param {{ environment?: Record<string, string>, more?: readonly string[], node?: string }} [options] more: arguments for vitest, such as
 *   folders. node: the program, if not the one of this process
 */
function runVitest(projects, { environment = {}, more = [], node = process.execPath } = {}) {
  const chosen = projects.flatMap((project) => ['--project', project])
  const run = (/** @type {string} */ name, /** @type {readonly string[]} */ args) => {
    const file = `tests/output/${name}.json`
    rmSync(file, { force: true })
    forgetOutsideTests()
    const reporters = ['--reporter=default', '--reporter=./tests/run/outside-tests.mjs', '--reporter=json', `--outputFile=${file}`]
    const { status } = spawnSync(node, ['node_modules/vitest/vitest.mjs', 'run', ...chosen, ...reporters, ...args], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...environment },
    })
    const { uncaught, hooks } = readOutsideTests()
    return { report: existsSync(file) ? addHookErrors(JSON.parse(readFileSync(file, 'utf8')), hooks) : null, status, uncaught }
  }
  const first = run(projects.join('-'), more)
  if (!projects.includes('real')) return first
  return secondTry(first, (files) => {
    process.stdout.write(`\nOnce more, alone: ${files.join(', ')}\n`)
    return run('second-try', [...files, '--maxWorkers=1'])
  })
}

/** @param {unknown} report @param {number | null} status @param {readonly string[]} [uncaught] */
const tallyOf = (report, status, uncaught = []) => ({
  ...readReport(report, status),
  failures: [...failureLines(report), ...uncaught],
  secondTries: secondTryLines(report),
})

/** @param {Tally} one @param {Tally} other @returns {Tally} */
const addTally = (one, other) => ({ ...one, ...add(one, other), failures: [...(one.failures ?? []), ...(other.failures ?? [])] })

/** Most of them need nothing but Node: where a package is missing, only the tests that use it fail. @param {readonly string[]} [more] */
function unit(more = []) {
  installForUnit()
  const { report, status, uncaught } = runVitest(['unit', 'mocks'], { more })
  return addTally(tallyOf(report, status, uncaught), runPytest())
}

function installForUnit() {
  const missing = installMissing(packages.unit)
  if (missing !== null) process.stdout.write(`${missing}\n`)
}

/** The unit tests on the version of Node whose turn it is, or on this one if that cannot be had; a soak takes all versions. */
async function unitInTurns() {
  installForUnit()
  const withoutPostgresql = installMissing(packages.postgresql)
  const withoutPooler = installMissing(packages.pooler)
  /** @type {readonly Project[]} */
  const projects = withoutPostgresql === null ? ['unit', 'mocks', 'postgresql'] : ['unit', 'mocks']
  const { versions, noTurn } = planNodes()
  /** @type {Tally} */
  let sum = { ...nothing, failures: [], noTurn: [...noTurn] }
  for (const version of versions) {
    const found = await findNode(version)
    const node = 'program' in found ? found.program : process.execPath
    if ('missing' in found) sum.leftOut = found.missing
    process.stdout.write(`The unit tests run on Node ${'program' in found ? version : process.version}.\n`)
    const { report, status, uncaught } = runVitest(projects, { node, environment: environmentOf(node) })
    sum = addTally(sum, tallyOf(report, status, uncaught))
  }
  sum = addTally(sum, runPytest())
  if (withoutPooler !== null) sum.leftOut = [sum.leftOut, `through PgBouncer: ${withoutPooler}`].filter(Boolean).join('; ')
  if (withoutPostgresql !== null) sum.leftOut = [sum.leftOut, `on PostgreSQL: ${withoutPostgresql}`].filter(Boolean).join('; ')
  return sum
}

/** Programs of other makers that call the service or judge its description. */
async function clients() {
  const reason = await clientsMissing()
  if (reason !== null) return leftOut(reason)
  const { report, status, uncaught } = runVitest(['clients'])
  return tallyOf(report, status, uncaught)
}

/** Why there can be no lab of Debian hosts here; null when it is ready. Throws when making it ready failed. */
function labMissing() {
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'tests/hosts/lab/prepare.ts'], {
    stdio: ['ignore', 'inherit', 'pipe'],
    encoding: 'utf8',
  })
  if (status === 0) return null
  if (status === 3) return stderr.trim()
  throw new Error(`The lab of Debian hosts could not be made ready: ${stderr.trim()}`)
}

/** Builds everything that browser tests start, so that build output is not part of the output that tests read. */
async function buildAll() {
  await buildPortal()
  if (spawnSync(process.execPath, ['lib/launcher/programs.mjs'], { stdio: 'inherit' }).status !== 0) throw new Error('The build failed.')
}

/**
 * The tests in some folders of `tests`: those that every run takes, then as many of the others as there is time for.
 * @param {readonly string[]} places @param {Record<string, string>} environment
 */
function runInTurns(places, environment) {
  if (Number(process.env.SEEDS) >= 1) {
    return { ...runVitest(['real'], { environment, more: places.map((place) => `tests/${place}/`) }), noTurn: [] }
  }
  const { first, turns, intent, noTurn } = planTurns(places)
  process.stdout.write(`${intent}\n`)
  const runs = [runVitest(['real'], { environment, more: first })]
  const next = () => turns.splice(0, filesAtOnce(process.uptime() / 60))
  for (let batch = next(); batch.length > 0; batch = next()) runs.push(runVitest(['real'], { environment, more: batch }))
  const results = runs.map(({ report }) => report?.testResults)
  return {
    report: results.includes(undefined) ? null : countTests(results.flatMap((each) => each ?? [])),
    status: runs.every(({ status }) => status === 0) ? 0 : 1,
    uncaught: runs.flatMap(({ uncaught }) => uncaught),
    noTurn: noTurn(turns),
  }
}

const folders = { hosts: ['hosts'], browser: ['browser', 'launcher'] }

/**
 * Hosts wait for packages and for machines that start, browsers compute: side by side they take less long than one after the other.
 * Browser tests that need a real host leave themselves out where LAB_MISSING says why there is none.
 * @param {readonly string[]} wanted @returns {Promise<Record<string, Tally>>}
 */
async function hostsAndBrowser(wanted) {
  const lab = labMissing()
  const reasons = { hosts: lab, browser: wanted.includes('browser') ? chromiumMissing() : null }
  const asked = /** @type {const} */ (['hosts', 'browser']).filter((name) => wanted.includes(name))
  const able = asked.filter((name) => reasons[name] === null)
  if (able.includes('browser')) {
    // Where they cannot be had, the tests that need them leave themselves out.
    installMissing([...packages.postgresql, ...packages.pooler])
    await buildAll()
  }
  const environment = lab === null ? {} : { LAB_MISSING: lab }
  const places = able.flatMap((name) => folders[name])
  const nowhere = { report: null, status: 0, uncaught: [], noTurn: [] }
  const { report, status, uncaught, noTurn } = able.length === 0 ? nowhere : runInTurns(places, environment)
  /** @type {Record<string, Tally>} */
  const tallies = {}
  for (const name of asked) {
    const reason = reasons[name]
    tallies[name] = reason === null ? tallyOf(reportOf(report, folders[name]), 0) : leftOut(reason)
  }
  for (const name of able) {
    tallies[name] = { ...nothing, ...tallies[name], noTurn: noTurn.filter((line) => folders[name].includes(line.split('/')[1] ?? '')) }
  }
  // An end that no test accounts for is a failure of the first of them.
  const [first] = able
  const counted = Object.values(tallies).reduce((sum, { failed }) => sum + failed, 0)
  if (first !== undefined && counted === 0) {
    const failures = [...(tallies[first]?.failures ?? []), ...uncaught]
    tallies[first] = { ...nothing, ...tallies[first], failed: readReport(report, status).failed, failures }
  }
  return tallies
}

/**
 * Parts that run beside each other form a group, and the groups run one after another.
 * @type {readonly { parts: readonly string[], run: (wanted: readonly string[]) => Promise<Record<string, Tally>> }[]}
 */
export const groups = [
  { parts: ['check'], run: async () => ({ check: check() }) },
  { parts: ['unit'], run: async () => ({ unit: await unitInTurns() }) },
  { parts: ['clients'], run: async () => ({ clients: await clients() }) },
  { parts: ['hosts', 'browser'], run: hostsAndBrowser },
]

/** The one way through the product that `--quick` takes in a browser. */
const journey = 'tests/browser/journey.test.ts'

/** What `npm test -- --quick` runs instead: most unit tests, and one journey. */
export const quickGroups = [
  { parts: ['unit'], run: async () => ({ unit: unit(Object.keys(slowFiles).flatMap((file) => ['--exclude', file])) }) },
  { parts: ['browser'], run: async () => ({ browser: await takeJourney() }) },
]

async function takeJourney() {
  const reason = chromiumMissing()
  if (reason !== null) return leftOut(reason)
  await buildAll()
  const { report, status, uncaught } = runVitest(['real'], { more: [journey] })
  return tallyOf(report, status, uncaught)
}
