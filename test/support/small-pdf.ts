/** Makes small PDF files for tests. */
import { deflateSync } from 'node:zlib'

export interface PdfOptions {
  /** Each page has this many. Default 1. */
  readonly pages?: number
  /** The content of the pages instead of the text, compressed. */
  readonly content?: Buffer
  /** Instead of both, already compressed. */
  readonly compressed?: Buffer
  /** How it is compressed. Default FlateDecode. */
  readonly filter?: string
  readonly isEncrypted?: boolean
}

/** Returns a PDF with this text on each page; without a text its pages are empty. */
export function smallPdf(
  text: string,
  { pages = 1, content, compressed, filter = 'FlateDecode', isEncrypted = false }: PdfOptions = {},
): Buffer {
  const drawn = content ?? Buffer.from(text === '' ? '' : `BT /F1 12 Tf 72 700 Td (${text}) Tj ET`)
  const stream = compressed ?? deflateSync(drawn)
  const numbers = Array.from({ length: pages }, (_, index) => 5 + index)
  const objects: (string | Buffer)[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${numbers.map((number) => `${number} 0 R`).join(' ')}] /Count ${pages} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    Buffer.concat([
      Buffer.from(`<< /Length ${stream.length} /Filter /${filter} >>\nstream\n`),
      stream,
      Buffer.from('\nendstream'),
    ]),
    ...numbers.map(
      () =>
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents 4 0 R >>',
    ),
  ]
  if (isEncrypted) {
    const key = 'a'.repeat(64)
    objects.push(`<< /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -4 >>`)
  }
  return assembled(objects, isEncrypted)
}

function assembled(objects: readonly (string | Buffer)[], isEncrypted: boolean): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')]
  let length = parts[0]?.length ?? 0
  const offsets: number[] = []
  const add = (part: Buffer): void => {
    parts.push(part)
    length += part.length
  }
  for (const [index, body] of objects.entries()) {
    offsets.push(length)
    add(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(body), Buffer.from('\nendobj\n')]))
  }
  const start = length
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  add(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`))
  const encrypt = isEncrypted ? ` /Encrypt ${objects.length} 0 R /ID [<00112233445566778899aabbccddeeff> <00>]` : ''
  add(Buffer.from(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R${encrypt} >>\nstartxref\n${start}\n%%EOF\n`))
  return Buffer.concat(parts)
}
