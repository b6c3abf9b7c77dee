/** Whether a firewall's rules allow anybody on the web server's ports, read from the output of iptables-save and nft. */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { readScript } from '@/lib/service/machines/debian/script'

const script = readScript('facts/web-ports.bash')

/** The web ports on which nobody is allowed. */
function closedBy(program: 'may_accept' | 'table_may_accept', rules: string): number[] {
  return [80, 443].filter((port) => {
    const ran = spawnSync('bash', ['--norc', '-c', `${script}\n${program} ${port}`], { input: rules, encoding: 'utf8' })
    expect(ran.stderr).toBe('')
    return ran.status !== 0
  })
}

const ufw = (rules: string, policy = 'DROP') => `*filter
:INPUT ${policy} [0:0]
:ufw-before-input - [0:0]
:ufw-user-input - [0:0]
:ufw-user-limit - [0:0]
:ufw-user-limit-accept - [0:0]
-A INPUT -j ufw-before-logging-input
-A INPUT -j ufw-before-input
-A ufw-before-input -i lo -j ACCEPT
-A ufw-before-input -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT
-A ufw-before-input -p icmp -m icmp --icmp-type 8 -j ACCEPT
-A ufw-before-input -p udp -m udp --sport 67 --dport 68 -j ACCEPT
-A ufw-before-input -j ufw-not-local
-A ufw-before-input -j ufw-user-input
-A ufw-not-local -m addrtype --dst-type LOCAL -j RETURN
-A ufw-not-local -m limit --limit 3/min --limit-burst 10 -j ufw-logging-deny
-A ufw-not-local -j DROP
-A ufw-user-limit -j REJECT --reject-with icmp-port-unreachable
-A ufw-user-limit-accept -j ACCEPT
-A ufw-user-input -p tcp -m tcp --dport 22 -m conntrack --ctstate NEW -m recent --update --seconds 30 -j ufw-user-limit
-A ufw-user-input -p tcp -m tcp --dport 22 -m comment --comment "-p tcp --dport 80 -j ACCEPT" -j ufw-user-limit-accept
${rules}
COMMIT
`

test.each<[string, string, number[]]>([
  ['UFW that lets in SSH alone', ufw(''), [80, 443]],
  ['UFW with a rule for port 80', ufw('-A ufw-user-input -p tcp -m tcp --dport 80 -j ACCEPT'), [443]],
  ['UFW with an application', ufw('-A ufw-user-input -p tcp -m multiport --dports 80,443 -m comment --comment "dapp" -j ACCEPT'), []],
  ['UFW with a range', ufw('-A ufw-user-input -p tcp -m multiport --dports 81:500 -j ACCEPT'), [80]],
  ['UFW with a rule for a network', ufw('-A ufw-user-input -s 10.0.0.0/8 -j ACCEPT'), []],
  ['UFW that denies before it allows', ufw('-A ufw-user-input -p tcp -m tcp --dport 80 -j DROP\n-A ufw-user-input -p tcp -j ACCEPT'), [80]],
  ['UFW that allows what it does not deny', ufw('-A ufw-user-input -p tcp -m tcp --dport 443 -j DROP', 'ACCEPT'), [443]],
  ['rules that accept all but one interface', '*filter\n:INPUT DROP [0:0]\n-A INPUT ! -i eth1 -j ACCEPT\nCOMMIT\n', []],
  [
    'rules that end with a refusal',
    '*filter\n:INPUT ACCEPT [0:0]\n-A INPUT -p tcp -m tcp --dport 22 -j ACCEPT\n-A INPUT -j REJECT\n',
    [80, 443],
  ],
  ['rules of another table', '*nat\n:INPUT ACCEPT [0:0]\n-A INPUT -p tcp -m tcp --dport 80 -j DROP\nCOMMIT\n', []],
  ['no rules', '', []],
])('%s', (_, rules, closed) => {
  expect(closedBy('may_accept', rules)).toEqual(closed)
})

const nft = (rules: string, policy = 'drop') => `table inet admin {
	set web {
		type inet_service
		elements = { 80, 443 }
	}

	chain input {
		type filter hook input priority filter; policy ${policy};
		ct state established,related accept
		ct state vmap { invalid : drop, established : accept, related : accept }
		iif "lo" accept comment "accept"
		icmp type echo-request accept
		meta l4proto { icmp, ipv6-icmp } accept
		udp dport 51820 counter packets 0 bytes 0 accept
		tcp dport 22 accept
		${rules}
	}

	chain forward {
		type filter hook forward priority filter; policy drop;
		ip saddr 10.9.0.0/24 accept
	}
}
`

test.each<[string, string, number[]]>([
  ['a table that lets in SSH alone', nft('tcp dport { 22, 25 } accept'), [80, 443]],
  ['a table with a list of ports', nft('tcp dport { 25, 80 } accept'), [443]],
  ['a table with a range', nft('tcp dport 400-500 accept'), [80]],
  ['a table with a named set', nft('tcp dport @web accept'), []],
  ['a table that accepts an address', nft('ip saddr 192.0.2.1 accept'), []],
  ['a table with a chain of its own', `${nft('jump mine')}\n\tchain mine {\n\t\ttcp dport 80 accept\n\t}`, [443]],
  ['a table whose last rule refuses', nft('reject with icmpx type admin-prohibited', 'accept'), [80, 443]],
  ['a table that drops one address', nft('ip saddr 192.0.2.1 drop', 'accept'), []],
])('nftables: %s', (_, rules, closed) => {
  expect(closedBy('table_may_accept', rules)).toEqual(closed)
})
