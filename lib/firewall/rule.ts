/** A rule for incoming traffic, with the four members of the interface. */
import { ruleAction, ruleActions, ruleProtocol, ruleProtocols } from '@/lib/contract/fields'
import { limitRefusal } from '@/lib/contract/limits'
import { formatPorts, isSeveral, type Ports, parsePorts } from './ports'
import { type From, parseFrom } from './source'

export const actions = ruleActions
export type Action = (typeof actions)[number]

export const protocols = ruleProtocols
export type Protocol = (typeof protocols)[number]

export type Rule = { action: Action; protocol: Protocol; ports: Ports; from: From }

/** A rule as a service lists it, or as a form submits it. */
export type RuleWords = { action: string; protocol: string; port: string; from: string }

/** The parsed words; undefined for invalid ones. */
function readWords({ action, protocol, port, from }: RuleWords) {
  const [act, proto] = [ruleAction.read(action), ruleProtocol.read(protocol)]
  return {
    action: actions.find((known) => known === act),
    protocol: proto === '' ? ('any' as const) : protocols.find((known) => known === proto),
    ports: parsePorts(port),
    from: parseFrom(from),
  }
}

/** Null for a rule with further members or other values. */
export function readRule(words: RuleWords): Rule | null {
  const { action, protocol, ports, from } = readWords(words)
  return action && protocol && ports !== undefined && from !== undefined ? { action, protocol, ports, from } : null
}

/** Why submitted words are not a valid rule, by field; empty if they are. An empty value does not mean any, which would open too much. */
export function ruleRefusals(words: RuleWords): Record<string, string> {
  const read = readWords(words)
  const given = <Value>(word: string, value: Value) => (word.trim() === '' ? undefined : value)
  const [ports, from] = [given(words.port, read.ports), given(words.from, read.from)]
  const action = limitRefusal(ruleAction, ruleAction.read(words.action))
  const protocol = limitRefusal(ruleProtocol, ruleProtocol.read(words.protocol))
  const several = ports !== undefined && isSeveral(ports) && read.protocol === 'any'
  return {
    ...(action && { action }),
    ...(protocol && { protocol }),
    ...(several ? { protocol: 'Multiple ports need a protocol: tcp or udp.' } : {}),
    ...(ports === undefined ? { port: 'Enter a port from 1 to 65535, a list such as 80,443, a range such as 6000:6007, or any.' } : {}),
    ...(from === undefined ? { from: 'Enter an address such as 192.0.2.7, a network such as 10.0.0.0/8, or any.' } : {}),
  }
}

/** The words that the bundled service uses. */
export const formatRule = ({ action, protocol, ports, from }: Rule): RuleWords => ({
  action,
  protocol,
  port: formatPorts(ports),
  from: from?.text ?? 'any',
})

/** Whether two rules match the same traffic, whatever their action. */
export function sameTraffic(one: Rule, other: Rule): boolean {
  const [a, b] = [formatRule(one), formatRule(other)]
  return a.protocol === b.protocol && a.port === b.port && a.from === b.from
}
