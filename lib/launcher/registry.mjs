/** Whether npm's registry responds: npm alone would silently retry for minutes. */
import { setTimeout as delay } from 'node:timers/promises'
import { runTool } from './tool.mjs'

/** An install from npm's cache is often finished by then. */
const firstMs = 3000
const maxMs = 20_000

/** Any response of a registry counts, even if it does not support ping. */
const noAnswer = /^(FETCH_ERROR|ENOTFOUND|EAI_\w+|ECONN\w+|ETIMEDOUT|E\w*UNREACH|ENETDOWN|ERR_SOCKET\w*|E\w+_TIMEOUT|EIDLETIMEOUT|EPIPE)$/

/**
 * Calls the registry that npm is configured to use, through npm's proxy. Resolves within half a minute: with a clause that says who does
 * not respond, or with null when it responds or `signal` is aborted.
 * @param {AbortSignal} signal
 * @returns {Promise<string | null>}
 */
export async function findSilentRegistry(signal) {
  await delay(firstMs, undefined, { signal }).catch(() => undefined)
  if (signal.aborted) return null
  const enough = new AbortController()
  const timer = setTimeout(() => enough.abort(), maxMs)
  signal.addEventListener('abort', () => enough.abort())
  const ping = ['npm', 'ping', '--loglevel=notice', '--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=8000']
  const { code, output } = await runTool(ping, { signal: enough.signal })
  clearTimeout(timer)
  if (code === 0 || signal.aborted) return null
  const reason = enough.signal.aborted ? 'ETIMEDOUT' : (/ code (\w+)/.exec(output)?.[1] ?? '')
  if (!noAnswer.test(reason)) return null
  return `npm's registry ${/PING (\S+)/.exec(output)?.[1] ?? ''} does not respond (${reason})`.replace('  ', ' ')
}
