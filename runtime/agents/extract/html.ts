import { compile } from 'html-to-text'
import { decodeText } from './decode-text.js'
import { boundedText, EXTRACT_LIMITS } from './limits.js'

// Bound: 8,192, a text; longer ones are read in a thread.

const SKIPPED = ['script', 'style', 'nav', 'noscript', 'template', 'svg', 'iframe', 'form', 'img']
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']

const toText = compile({
  wordwrap: false,
  limits: { maxInputLength: 2 ** 24, maxDepth: EXTRACT_LIMITS.htmlDepthMax, ellipsis: '' },
  formatters: {
    // The marks tell the chunks where a section begins.
    heading(element, walk, builder) {
      builder.openBlock({ leadingLineBreaks: 2 })
      builder.addInline('# ')
      walk(element.children, builder)
      builder.closeBlock({ trailingLineBreaks: 2 })
    },
    cell(element, walk, builder) {
      walk(element.children, builder)
      builder.addInline(' | ')
    },
  },
  selectors: [
    ...SKIPPED.map((selector) => ({ selector, format: 'skip' })),
    ...HEADINGS.map((selector) => ({ selector, format: 'heading' })),
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'td', format: 'cell' },
    { selector: 'th', format: 'cell' },
  ],
})

/** Returns the visible text of a page. Headings begin with `# `. @throws ExtractionRefused */
export function htmlText(bytes: Uint8Array, declared = ''): string {
  const start = Buffer.from(bytes.subarray(0, 4_096)).toString('latin1')
  const own = /<meta[^>]{0,200}charset\s*=\s*["']?([\w:.-]+)/i.exec(start)?.[1] ?? ''
  return boundedText(toText(decodeText(bytes, declared || own)))
}
