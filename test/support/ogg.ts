/** Returns a page of an Ogg stream with these packets. Its position and checksum are 0. */
export function oggPage(packets: readonly Buffer[]): Buffer {
  const sizes = packets.flatMap(({ length }) => [...Array<number>(Math.floor(length / 255)).fill(255), length % 255])
  const header = Buffer.alloc(27)
  header.write('OggS')
  header[26] = sizes.length
  return Buffer.concat([header, Buffer.from(sizes), ...packets])
}
