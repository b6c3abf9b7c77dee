/** Archives of a few small files in the format ustar, in memory. */
const block = 512

/** name: at most 100 bytes of ASCII. */
export type TarFile = { readonly name: string; readonly content: Buffer }

/** Files belong to root, and everybody may read them. seconds: when they were changed, since 1970. */
export const renderTar = (files: readonly TarFile[], seconds: number): Buffer =>
  Buffer.concat([...files.flatMap(({ name, content }) => renderEntry(name, content, seconds)), Buffer.alloc(2 * block)])

function renderEntry(name: string, content: Buffer, seconds: number): Buffer[] {
  const header = Buffer.alloc(block)
  const octal = (value: number, at: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, length, 'latin1')
  header.write(name, 0, 100, 'latin1')
  octal(0o644, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(content.length, 124, 12)
  octal(seconds, 136, 12)
  header.write('        ', 148, 8, 'latin1')
  header.write('0ustar\x0000', 156, 9, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 8, 'latin1')
  return [header, content, Buffer.alloc((block - (content.length % block)) % block)]
}
