/** A host that answers at port 80 for names which lead to it instead of the server of their site. */
import type { Host } from '../lab/lab'

/** forward: a name and the address that its requests are passed on to. redirect: a name and where it leads. Others get a page of its own. */
export type OtherAnswers = { forward: readonly [string, string]; redirect: readonly [string, string] }

const script = ({ forward: [forwarded, address], redirect: [moved, location] }: OtherAnswers): string => `
head=''
while IFS= read -r line; do
  head+=$line$'\\n'
  [[ $line != $'\\r' ]] || break
done
tell() { printf 'HTTP/1.1 %s\\r\\nContent-Length: 6\\r\\nConnection: close\\r\\n\\r\\nother\\n' "$1"; }
case $head in
  *'Host: ${forwarded}'*) exec 4<>/dev/tcp/${address}/80; printf %s "$head" >&4; cat <&4 ;;
  *'Host: ${moved}'*) tell $'302 Found\\r\\nLocation: ${location}' ;;
  *) tell '200 OK' ;;
esac`

/** Over IPv4 and IPv6, until the host stops. */
export async function answerForOthers(host: Host, answers: OtherAnswers): Promise<void> {
  await host.run('cat >/srv/answer.bash', { stdin: script(answers) })
  const { code, stderr } = await host.run(
    'systemd-run -q --unit other-server systemd-socket-activate --accept --inetd -l 80 /bin/bash /srv/answer.bash && until ss -Hltn | grep -q :80; do sleep 0.1; done',
  )
  if (code !== 0) throw new Error(stderr)
}
