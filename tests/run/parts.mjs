/** The parts of `npm test`, in the order in which they run. Each says how it went, or why it cannot run on this machine. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { buildPortal } from '../../lib/launcher/build.mjs'
import { chromiumMissing } from './chromium.mjs'
import { installMissing, packages } from './packages.mjs'
import { failedOnce, failureLines, leftOut, passedOnce, readReport, secondTryLines } from './tally.mjs'

/** Types, style, borders and dead code count as one test together. */
function check() {
  return spawnSync('npm', ['run', '--silent', 'check'], { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0 ? passedOnce : failedOnce
}

/** @param {'unit' | 'hosts' | 'browser'} project a project of vitest.config.ts @param {Record<string, string>} [environment] */
function runVitest(project, environment = {}) {
  const file = `tests/output/${project}.json`
  rmSync(file, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${file}`]
  const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--project', project, ...reporters], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...environment },
  })
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
  return { ...readReport(report, status), failures: failureLines(report), secondTries: secondTryLines(report) }
}

/** Most of them need nothing but Node: where a package is missing, only the tests that use it fail. */
function unit() {
  const missing = installMissing(packages.unit)
  if (missing !== null) process.stdout.write(`${missing}\n`)
  return runVitest('unit')
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

function hosts() {
  const reason = labMissing()
  return reason === null ? runVitest('hosts') : leftOut(reason)
}

/** Browser tests that need a real host leave themselves out where LAB_MISSING says why there is none. */
async function browser() {
  const reason = chromiumMissing()
  if (reason !== null) return leftOut(reason)
  // Built before any test starts it: what a start says while it builds is no part of what the tests read.
  await buildPortal()
  if (spawnSync(process.execPath, ['lib/launcher/programs.mjs'], { stdio: 'inherit' }).status !== 0) return failedOnce
  const lab = labMissing()
  return runVitest('browser', lab === null ? {} : { LAB_MISSING: lab })
}

/** @type {Record<string, () => import('./tally.mjs').Tally | Promise<import('./tally.mjs').Tally>>} */
export const parts = { check, unit, hosts, browser }
