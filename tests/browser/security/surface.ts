/** Every route and action of the build, and the fields with which each action is called. */

import { type Estate, person } from './estate'
import { absentId } from './ids'

/** page: redirects to the sign-in page without a session. answer: answers 401. open: the same for everybody. */
export const routes: Record<string, 'page' | 'answer' | 'open'> = {
  '/': 'page',
  '/account': 'page',
  '/account/email': 'page',
  '/activity': 'page',
  '/jobs': 'page',
  '/jobs/[jobId]': 'page',
  '/keys': 'page',
  '/keys/new': 'page',
  '/servers': 'page',
  '/servers/[serverId]': 'page',
  '/servers/[serverId]/backups': 'page',
  '/servers/[serverId]/cron': 'page',
  '/servers/[serverId]/firewall': 'page',
  '/servers/[serverId]/settings': 'page',
  '/servers/[serverId]/users': 'page',
  '/servers/[serverId]/install': 'page',
  '/servers/[serverId]/logs': 'page',
  '/servers/[serverId]/mail': 'page',
  '/servers/new': 'page',
  '/team': 'page',
  '/team/[memberId]': 'page',
  '/forgot': 'open',
  '/invite': 'open',
  '/notifications': 'page',
  '/recover': 'open',
  '/setup': 'open',
  '/sign-in': 'open',
  '/sign-in/set-up': 'open',
  '/_global-error': 'open',
  '/_not-found': 'open',
  '/500': 'open',
  '/icon.svg': 'open',
  '/api/activity/csv': 'answer',
  '/api/auth/[...nextauth]': 'open',
  '/api/counts': 'answer',
  '/api/health': 'open',
  '/api/home': 'answer',
  '/api/jobs': 'answer',
  '/api/jobs/[jobId]': 'answer',
  '/api/jobs/[jobId]/events': 'answer',
  '/api/notifications': 'answer',
  '/api/operations/[id]': 'answer',
  '/api/palette': 'answer',
  '/api/servers': 'answer',
  '/api/servers/[serverId]/history': 'answer',
  '/api/servers/[serverId]/looking': 'answer',
}

/** The fields of each action, as correct as a user without permission could make them; an id comes first. */
export const actions: Record<string, (estate: Estate) => Record<string, string>> = {
  'app/(portal)/account/actions.ts changePassword': () => ({ current: person.password, password: 'a password long enough' }),
  'app/(portal)/account/actions.ts endOtherSessions': () => ({ sessionId: absentId }),
  'app/(portal)/account/actions.ts endSession': ({ owner }) => ({ sessionId: owner.sessionId }),
  'app/(portal)/account/actions.ts rename': () => ({ name: 'Renamed by somebody else' }),
  'app/(portal)/account/email/actions.ts confirmNewEmail': () => ({ token: 'A'.repeat(43) }),
  'app/(portal)/account/email/actions.ts requestNewEmail': () => ({ email: 'planted@lanternworks.test' }),
  'app/(portal)/account/second-factor/actions.ts confirmAuthenticator': () => ({ code: '123456' }),
  'app/(portal)/account/second-factor/actions.ts removeAuthenticator': () => ({ userId: absentId }),
  'app/(portal)/account/second-factor/actions.ts renewRecoveryCodes': () => ({ userId: absentId }),
  'app/(portal)/account/second-factor/actions.ts startAuthenticator': () => ({ userId: absentId }),
  'app/(portal)/account/passkeys/actions.ts addPasskey': () => ({ created: '{}' }),
  'app/(portal)/account/passkeys/actions.ts removePasskey': () => ({ passkeyId: absentId }),
  'app/(portal)/account/passkeys/actions.ts renamePasskey': () => ({ passkeyId: absentId, label: 'planted' }),
  'app/(portal)/account/passkeys/actions.ts startPasskey': () => ({ userId: absentId }),
  'app/(portal)/(home)/actions.ts saveFirstStepsHidden': () => ({ hidden: 'yes' }),
  'app/(portal)/actions.ts signOut': () => ({ serverId: absentId }),
  // In their own team, members of another team may add what they like, but not with an address that nobody may use.
  'app/(portal)/keys/actions.ts addConnection': () => ({ address: 'http://169.254.169.254/', ...newKey, keeper: 'team' }),
  'app/(portal)/keys/actions.ts checkConnection': ({ teams }) => ({ connectionId: teams.ours.connectionId }),
  'app/(portal)/keys/actions.ts freezeConnection': ({ teams }) => ({ connectionId: teams.ours.connectionId }),
  'app/(portal)/keys/actions.ts thawConnection': ({ teams }) => ({ connectionId: teams.ours.connectionId }),
  'app/(portal)/keys/actions.ts removeConnection': ({ teams }) => ({ connectionId: teams.ours.connectionId, confirmName: 'Ours' }),
  'app/(portal)/keys/actions.ts renameConnection': ({ teams }) => ({ connectionId: teams.ours.connectionId, label: 'planted' }),
  'app/(portal)/keys/actions.ts replaceKey': ({ teams }) => ({ connectionId: teams.ours.connectionId, ...newKey, confirmName: 'Ours' }),
  'app/(portal)/servers/[serverId]/actions.ts deleteServer': ({ serverId, serverName }) => ({ serverId, confirmName: serverName }),
  'app/(portal)/servers/[serverId]/actions.ts installServer': ({ serverId }) => ({ serverId }),
  'app/(portal)/servers/[serverId]/actions.ts askHostKeyAgain': ({ serverId }) => ({ serverId, user: 'root', pass: 'x', host_key: 'ask' }),
  'app/(portal)/servers/[serverId]/actions.ts resetKey': ({ serverId, serverName }) => ({
    serverId,
    user: 'root',
    pass: 'x',
    confirmName: serverName,
  }),
  'app/(portal)/servers/[serverId]/actions.ts runConfirmed': ({ serverId, serverName }) => ({
    serverId,
    operation: 'servers.reboot',
    confirmName: serverName,
  }),
  'app/(portal)/servers/[serverId]/actions.ts setHostname': ({ serverId }) => ({ serverId, hostname: 'planted.example.net' }),
  'app/(portal)/servers/[serverId]/actions.ts stopFollowing': ({ jobId }) => ({ jobId }),
  'app/(portal)/servers/[serverId]/actions.ts updateServer': ({ serverId }) => ({ serverId, name: 'planted', dns: 'planted' }),
  'app/(portal)/servers/[serverId]/backups/actions.ts deleteBackups': ({ serverId }) => ({
    serverId,
    ids: '["server-2026-11-20.tar.zst"]',
    confirmName: '1',
  }),
  'app/(portal)/servers/[serverId]/cron/actions.ts deleteCronJob': ({ serverId }) => ({ serverId, ...cronJob, line: '7' }),
  'app/(portal)/servers/[serverId]/cron/actions.ts replaceCronJob': ({ serverId }) => ({ serverId, ...cronJob, ...oldCronJob }),
  'app/(portal)/servers/[serverId]/cron/actions.ts saveCronJob': ({ serverId }) => ({ serverId, ...cronJob, command: 'planted' }),
  'app/(portal)/servers/[serverId]/firewall/actions.ts deleteFirewallRule': ({ serverId }) => ({
    serverId,
    rules: JSON.stringify([firewallRule]),
  }),
  'app/(portal)/servers/[serverId]/firewall/actions.ts saveFirewallRule': ({ serverId }) => ({ serverId, ...openPort }),
  'app/(portal)/servers/[serverId]/firewall/actions.ts toggleFirewall': ({ serverId }) => ({ serverId, status: '0' }),
  'app/(portal)/servers/[serverId]/users/actions.ts deleteSystemUser': ({ serverId }) => ({
    serverId,
    user: 'deploy',
    confirmName: 'deploy',
  }),
  'app/(portal)/servers/[serverId]/users/actions.ts saveSystemUser': ({ serverId }) => ({
    serverId,
    user: 'deploy',
    pass: 'planted, and long',
  }),
  'app/(portal)/servers/[serverId]/mail/actions.ts deleteMessages': ({ serverId }) => ({ serverId, ids: '["4Xk2"]', confirmName: '1' }),
  'app/(portal)/servers/actions.ts changeServerLabels': ({ serverId }) => ({ ids: serverId, label: 'planted', change: 'add' }),
  'app/(portal)/servers/actions.ts createSandbox': ({ teams }) => ({ connectionId: teams.ours.connectionId }),
  'app/(portal)/servers/new/actions.ts askHostKey': ({ teams }) => ({ connectionId: teams.ours.connectionId, ...login, host_key: 'ask' }),
  'app/(portal)/servers/new/actions.ts createServer': ({ teams }) => ({ connectionId: teams.ours.connectionId, ...login }),
  // In their own team, owners of another team may invite whom they like, but not until a day that is over.
  'app/(portal)/account/single-sign-on/actions.ts connectProvider': () => ({}),
  'app/(portal)/account/single-sign-on/actions.ts disconnectProvider': () => ({}),
  'app/(portal)/team/actions.ts requireSingleSignOn': () => ({ required: 'yes' }),
  'app/(portal)/team/actions.ts inviteMember': () => ({ email: 'planted@lanternworks.test', role: 'owner', endsOn: '2020-01-01' }),
  'app/(portal)/team/actions.ts resendInvitation': () => ({ invitationId: absentId }),
  'app/(portal)/team/actions.ts revokeInvitation': () => ({ invitationId: absentId }),
  'app/(portal)/team/actions.ts changeRole': ({ owner }) => ({ memberId: owner.userId, role: 'viewer' }),
  'app/(portal)/team/actions.ts setMembershipEnd': ({ owner }) => ({
    memberId: owner.userId,
    endsOn: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10),
  }),
  'app/(portal)/team/actions.ts requireSecondFactor': () => ({ required: 'yes' }),
  'app/(portal)/team/actions.ts changeMemberEmail': ({ owner }) => ({ memberId: owner.userId, email: 'planted@lanternworks.test' }),
  'app/(portal)/team/actions.ts createResetLink': ({ owner }) => ({ memberId: owner.userId }),
  'app/(portal)/team/actions.ts disableMember': ({ owner }) => ({ memberId: owner.userId }),
  'app/(portal)/team/actions.ts enableMember': ({ owner }) => ({ memberId: owner.userId }),
  'app/(portal)/team/actions.ts removeMember': ({ owner }) => ({ memberId: owner.userId }),
  'app/_shared/notifications/actions.ts markRead': () => ({ notificationId: absentId }),
  'app/_shared/notifications/actions.ts markAllRead': () => ({ notificationId: absentId }),
  'app/_shared/passkeys/actions.ts askToConfirm': () => ({ userId: absentId }),
  'app/_shared/passkeys/actions.ts startPasskeySignIn': () => ({ userId: absentId }),
  'app/_shared/session/actions.ts signInAfresh': () => ({ back: '/servers' }),
  'app/_shared/session/actions.ts signInAgainWithPasskey': () => ({ email: 'nobody@lanternworks.test', passkey: '{}' }),
  'app/_shared/session/actions.ts signInAgain': () => ({ email: 'nobody@lanternworks.test', password: 'not the password' }),
  'app/_shared/undo/actions.ts undoChange': ({ undoId }) => ({ undoId }),
  'app/_shared/preferences/actions.ts savePreferences': () => ({ theme: 'dark', density: 'compact', timeZone: 'UTC' }),
  'app/(public)/invite/actions.ts accept': () => ({ token: 'A'.repeat(43), name: 'Eve', password: 'a password long enough' }),
  'app/(public)/invite/actions.ts join': () => ({ token: 'A'.repeat(43) }),
  'app/(public)/invite/actions.ts leave': () => ({ token: 'A'.repeat(43) }),
  'app/(public)/forgot/actions.ts forgot': () => ({ email: 'nobody@lanternworks.test' }),
  'app/(public)/sign-in/set-up/actions.ts startFirstAuthenticator': () => ({ userId: absentId }),
  'app/(public)/sign-in/set-up/actions.ts confirmFirstAuthenticator': () => ({ code: '123456' }),
  'app/(public)/recover/actions.ts recover': () => ({ token: 'A'.repeat(43), password: 'a password long enough' }),
  'app/(public)/setup/actions.ts setUp': () => ({ token: 'A'.repeat(43), ...person, teamName: 'Taken over', apiKey: 'k'.repeat(20) }),
  'app/(public)/sign-in/actions.ts enterCode': () => ({ code: '123456' }),
  'app/(public)/sign-in/actions.ts enterPasskey': () => ({ passkey: '{}' }),
  'app/(public)/sign-in/actions.ts startOver': () => ({ back: '/servers' }),
  'app/(public)/sign-in/actions.ts signInBySingleSignOn': () => ({ back: '/servers' }),
  'app/(public)/sign-in/actions.ts signIn': () => ({ email: 'nobody@lanternworks.test', password: 'not the password' }),
}

/** Every signed-in user may use what concerns only themselves. */
export const ownActions = new Set([
  ...['signOut', 'rename', 'changePassword', 'endOtherSessions', 'savePreferences', 'saveFirstStepsHidden'],
  ...['startAuthenticator', 'confirmAuthenticator', 'removeAuthenticator', 'renewRecoveryCodes'],
  ...['startPasskey', 'addPasskey', 'renamePasskey', 'removePasskey', 'askToConfirm', 'signInAfresh'],
  ...['markRead', 'markAllRead', 'leave'],
])

const newKey = { label: 'planted', apiKey: 'k'.repeat(20) }

/** The job that every server of the test upstream has. */
const cronJob = { minute: '*/5', hour: '*', dom: '*', mon: '*', dow: '*', user: 'root', command: '/usr/bin/true' }

/** The rule that every server of the test upstream has. */
const firewallRule = { id: '1', port: '22', protocol: 'tcp', v6: '', action: 'ALLOW', from: 'Anywhere' }

const openPort = { action: 'allow', from: 'any', port: '4711', protocol: 'tcp' }

const oldCronJob = { 'old.line': '7', ...Object.fromEntries(Object.entries(cronJob).map(([name, value]) => [`old.${name}`, value])) }

const login = {
  provider: 'custom',
  dns: 'None',
  name: 'planted',
  host: '192.0.2.66',
  user: 'root',
  pass: 'x',
  port: '22',
  region: '',
  type: '',
}
