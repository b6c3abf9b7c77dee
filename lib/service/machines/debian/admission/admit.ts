/** Admits Gatehouse to a server: logs in once, installs an SSH key, verifies it, and discards the credential that the user entered. */
import { isIPv4 } from 'node:net'
import { cleanText } from '@/lib/service/clean-text'
import { type Admission, type FirstLogin, MachineFailure } from '@/lib/service/machines/machine'
import { parseSiteRecords, type SiteRecords } from '@/lib/service/machines/site-records'
import { type Channel, openChannel } from '@/lib/service/ssh/channel'
import { askHostKey, type Connection, connect } from '@/lib/service/ssh/connect'
import { createConnections } from '@/lib/service/ssh/connections'
import { CutConnection, hostKeyUnconfirmed, loginFailed, unreachable } from '@/lib/service/ssh/failure'
import type { ExecResult } from '@/lib/service/ssh/host-address'
import type { Login } from '@/lib/service/ssh/login'
import { createOwnKey, type OwnKey } from '@/lib/service/ssh/private-key'
import { executeAlone } from '@/lib/service/ssh/sessions'
import { findHostFault } from '../require-done'
import { readScript } from '../script'
import { readCredential } from './credential'
import { withSudoers } from './sudo'
import { judgeSurvey, noSudo, type Survey, sudoWantsPassword } from './survey'

const surveyScript = readScript('admission/survey.bash')
const asRootScript = readScript('admission/as-root.bash')
const letInScript = withSudoers(readScript('admission/let-in.bash'))
const recordsScript = withSudoers(readScript('admission/records.bash'))
const takeOutScript = withSudoers(readScript('admission/take-out.bash'))

/**
 * Installs Gatehouse's key on a server, as FirstLogin describes. If a later step fails, the key is removed again. Throws
 * MachineFailure: host_key_unconfirmed, host_key_changed, unreachable, login_failed, invalid.
 */
export async function admit(login: FirstLogin): Promise<Admission> {
  if (login.hostKey === 'ask') throw hostKeyUnconfirmed(await askHostKey(login))
  const credential = readCredential(login)
  const connection = await connect(login, credential, login.hostKey)
  try {
    const channel = await openChannel(executeAlone(connection), 'itself')
    const survey = judgeSurvey((await channel.run({ script: surveyScript })).stdout, login.user)
    const key = createOwnKey()
    const records = await leaveKey(channel, { login, credential, survey, key, connection })
    return {
      records,
      hostKey: connection.hostKey,
      ...key,
      ip: isIPv4(connection.remoteAddress) ? connection.remoteAddress : '',
      hostname: survey.hostname,
    }
  } catch (error) {
    throw error instanceof CutConnection ? unreachable(login, error) : error
  } finally {
    await connection.end()
  }
}

type Entry = { login: FirstLogin; credential: Login; survey: Survey; key: OwnKey; connection: Connection }

async function leaveKey(channel: Channel, entry: Entry): Promise<SiteRecords> {
  try {
    requireDone(await runAsRoot(channel, letInScript, entry), entry)
    return await proveKey(entry)
  } catch (error) {
    await takeKeyOut(channel, entry)
    throw error
  }
}

function runAsRoot(channel: Channel, program: string, { login, credential, survey, key }: Entry): Promise<ExecResult> {
  const password = 'password' in credential ? credential.password : ''
  if (survey.becomesRoot === 'by password' && password === '') throw sudoWantsPassword(login.user)
  return channel.run({ script: asRootScript, values: [survey.becomesRoot, password, program, login.user, key.publicKey] })
}

function requireDone(result: ExecResult, { login }: Entry): void {
  if (result.code === 0) return
  if (/incorrect password|not in the sudoers|not allowed|may not run/i.test(result.stderr)) throw noSudo(login.user)
  const fault = findHostFault(result)
  if (fault !== null) throw loginFailed(`${login.user} logged in, but the SSH key of Gatehouse could not be added. ${fault}`)
  const said = cleanText(result.stderr.trim().split('\n').at(-1) ?? '')
  throw loginFailed(`${login.user} logged in, but the SSH key of Gatehouse could not be added. The server said: ${said}`)
}

/** Logs in separately with the new key, becomes root, and reads which sites the server has. */
async function proveKey({ login, key, connection }: Entry): Promise<SiteRecords> {
  const connections = createConnections()
  const host = { ...login, id: 'proof', hostKey: connection.hostKey, privateKey: key.privateKey }
  const result = await connections
    .read(host, { script: recordsScript, values: [key.publicKey] })
    .catch((error) => Promise.reject(explainProof(error, login.user)))
    .finally(connections.close)
  if (result.stdout.split('\n')[0] !== 'uid\t0') throw noSudo(login.user)
  return parseSiteRecords(result.stdout)
}

function explainProof(error: unknown, user: string): unknown {
  if (!(error instanceof MachineFailure) || error.problem.code !== 'login_failed') return error
  const where = 'Check PubkeyAuthentication, AuthorizedKeysFile and AllowUsers in its sshd_config.'
  return loginFailed(`The server accepted the SSH key of Gatehouse for ${user}, but logging in with it fails. ${where}`, error)
}

/** Undoes as much as possible; uses a new login if the first connection was cut. */
async function takeKeyOut(channel: Channel, entry: Entry): Promise<void> {
  try {
    if (channel.isOpen()) return void (await runAsRoot(channel, takeOutScript, entry))
    const again = await connect(entry.login, entry.credential, entry.connection.hostKey)
    await openChannel(executeAlone(again), 'itself')
      .then((fresh) => runAsRoot(fresh, takeOutScript, entry))
      .finally(() => again.end())
  } catch {
    // The caller gets the first error.
  }
}
