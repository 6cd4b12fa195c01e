/**
 * Reads the marks that WhatsApp draws in texts: `*bold*`, `_italic_`, `~strike~`, code, quotes, lists and links. Makes nodes, never HTML. The
 * time is linear in the length of the text, since strangers write it.
 */

export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'bold' | 'italic' | 'strike'; readonly children: readonly Inline[] }
  | {
      readonly kind: 'link'
      readonly text: string
      readonly href: string
      /** Host to which it leads, where the text does not show it plainly; else empty. */
      readonly host: string
    }

export type Block =
  | { readonly kind: 'lines'; readonly lines: readonly (readonly Inline[])[] }
  | { readonly kind: 'quote'; readonly lines: readonly (readonly Inline[])[] }
  | { readonly kind: 'bullets'; readonly lines: readonly (readonly Inline[])[] }
  | { readonly kind: 'numbers'; readonly start: number; readonly lines: readonly (readonly Inline[])[] }
  | { readonly kind: 'code'; readonly text: string }

/** Maximum of marks and links of one text. What comes after them is drawn as it was written. */
const NODES_MAX = 1_000
const FENCE = '```'
const MARKS = { '*': 'bold', _: 'italic', '~': 'strike' } as const
type Mark = keyof typeof MARKS

export function parseWhatsAppText(text: string): readonly Block[] {
  const blocks: Block[] = []
  const budget = { left: NODES_MAX }
  let at = 0
  while (at < text.length) {
    const open = text.indexOf(FENCE, at)
    const close = open < 0 ? -1 : text.indexOf(FENCE, open + FENCE.length)
    if (close < 0 || budget.left <= 0) break
    readLines(text.slice(at, open), blocks, budget)
    blocks.push({ kind: 'code', text: text.slice(open + FENCE.length, close).replace(/^\n|\n$/g, '') })
    budget.left -= 1
    at = close + FENCE.length
    if (text[at] === '\n') at += 1
  }
  readLines(text.slice(at), blocks, budget)
  return blocks
}

interface Budget {
  left: number
}

type LineKind = Exclude<Block['kind'], 'code'>

function readLines(text: string, blocks: Block[], budget: Budget): void {
  if (text === '') return
  let kind: LineKind | undefined
  let lines: (readonly Inline[])[] = []
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const [lineKind, rest, start] = budget.left > 0 ? readLine(line) : (['lines', line, 1] as const)
    if (lineKind !== kind) {
      kind = lineKind
      lines = []
      blocks.push(kind === 'numbers' ? { kind, start, lines } : { kind, lines })
      budget.left -= 1
    }
    lines.push(parseInline(rest, budget))
  }
}

function readLine(line: string): readonly [LineKind, string, number] {
  if (line.startsWith('> ')) return ['quote', line.slice(2), 1]
  if (line.startsWith('- ') || line.startsWith('* ')) return ['bullets', line.slice(2), 1]
  const number = /^(\d{1,3})\. /.exec(line)
  if (number !== null) return ['numbers', line.slice(number[0].length), Number(number[1])]
  return ['lines', line, 1]
}

interface Frame {
  readonly mark: Mark | null
  readonly children: Inline[]
}

/** Reads one line. At most one mark of each kind is open, so that the frames are at most four deep. */
function parseInline(line: string, budget: Budget): readonly Inline[] {
  const frames: Frame[] = [{ mark: null, children: [] }]
  let plainFrom = 0
  let at = 0
  let hasCode = true
  const add = (node: Inline) => frames.at(-1)?.children.push(node)
  const flush = (to: number) => {
    if (to > plainFrom) add({ kind: 'text', text: line.slice(plainFrom, to) })
  }
  while (at < line.length && budget.left > 0) {
    const character = line[at] ?? ''
    if (character === '`' && hasCode) {
      const close = line.indexOf('`', at + 1)
      hasCode = close >= 0
      if (close > at + 1) {
        flush(at)
        add({ kind: 'code', text: line.slice(at + 1, close) })
        budget.left -= 1
        at = plainFrom = close + 1
        continue
      }
    } else if (character in MARKS) {
      const mark = character as Mark
      const isOpen = frames.some((frame) => frame.mark === mark)
      if (isOpen ? closes(line, at) : opens(line, at)) {
        flush(at)
        if (isOpen) close(frames, mark)
        else frames.push({ mark, children: [] })
        budget.left -= 1
        at = plainFrom = at + 1
        continue
      }
    } else if ('hmt'.includes(character.toLowerCase()) && !isWordAt(line, at - 1)) {
      const link = findLinkAt(line, at)
      if (link !== null) {
        flush(at)
        add(link)
        budget.left -= 1
        at = plainFrom = at + link.text.length
        continue
      }
    }
    at += 1
  }
  flush(line.length)
  while (frames.length > 1) dissolve(frames)
  return frames[0]?.children ?? []
}

/** Ends the frame of this mark. Frames above it were never closed, so that their marks stay text. */
function close(frames: Frame[], mark: Mark): void {
  while (frames.at(-1)?.mark !== mark) dissolve(frames)
  const ended = frames.pop()
  frames.at(-1)?.children.push({ kind: MARKS[mark], children: ended?.children ?? [] })
}

function dissolve(frames: Frame[]): void {
  const { mark, children } = frames.pop() ?? { mark: null, children: [] }
  const into = frames.at(-1)?.children
  into?.push({ kind: 'text', text: mark ?? '' })
  for (const child of children) into?.push(child)
}

function opens(line: string, at: number): boolean {
  return !isWordAt(line, at - 1) && at + 1 < line.length && line[at + 1] !== line[at] && !isSpaceAt(line, at + 1)
}

function closes(line: string, at: number): boolean {
  return !isSpaceAt(line, at - 1) && !isWordAt(line, at + 1)
}

function isWordAt(line: string, at: number): boolean {
  return /[\p{L}\p{N}]/u.test(line[at] ?? '')
}

function isSpaceAt(line: string, at: number): boolean {
  return /\s/.test(line[at] ?? ' ')
}

const LINK = /(?:https?:\/\/|mailto:|tel:)[^\s<>"`]{1,2000}/iy

function findLinkAt(line: string, at: number): Extract<Inline, { kind: 'link' }> | null {
  LINK.lastIndex = at
  const text = LINK.exec(line)?.[0].replace(/[.,;:!?'*_~)\]}»”]{1,100}$/, '')
  if (text === undefined) return null
  try {
    const url = new URL(text)
    if (!['http:', 'https:', 'mailto:', 'tel:'].includes(url.protocol)) return null
    const isPlain = url.host === '' || text.toLowerCase().startsWith(`${url.protocol}//${url.host}`)
    const isLongHost =
      isPlain && url.host !== '' && !/^[/?#]|^$/.test(text.slice(url.protocol.length + 2 + url.host.length))
    return { kind: 'link', text, href: url.href, host: isPlain && !isLongHost ? '' : url.host }
  } catch {
    return null
  }
}
