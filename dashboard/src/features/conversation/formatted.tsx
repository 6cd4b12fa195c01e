import { memo, useMemo, useState } from 'react'
import { showUnseen } from '../../format/visible.js'
import { type Block, type Inline, parseWhatsAppText } from '../../format/whatsapp-text.js'
import { useConversationWords } from '../../words/conversation/index.js'
import styles from './message.module.css'

/** Characters that are drawn of a long text before somebody asks for all of it. */
const SHORT = 3_000

/** Text of a stranger with the marks of WhatsApp, as text nodes. */
export const Formatted = memo(function Formatted({ text }: { readonly text: string }) {
  const said = useConversationWords()
  const [isWhole, setWhole] = useState(false)
  const isLong = text.length > SHORT
  const drawn = isLong && !isWhole ? `${text.slice(0, SHORT)}…` : text
  const blocks = useMemo(() => parseWhatsAppText(showUnseen(drawn)), [drawn])
  return (
    <div className={styles.text} dir="auto">
      {blocks.map((block, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a text have no other name.
        <DrawnBlock key={place} block={block} />
      ))}
      {isLong ? (
        <button type="button" className={styles.inlineButton} onClick={() => setWhole(!isWhole)}>
          {isWhole ? said.less : said.more}
        </button>
      ) : null}
    </div>
  )
})

function DrawnBlock({ block }: { readonly block: Block }) {
  if (block.kind === 'code')
    return (
      <pre className={styles.code}>
        <bdi>{block.text}</bdi>
      </pre>
    )
  // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text have no other name.
  const lines = block.lines.map((line, place) => ({ key: place, drawn: <Line key={place} line={line} /> }))
  if (block.kind === 'bullets' || block.kind === 'numbers') {
    const items = lines.map(({ key, drawn }) => <li key={key}>{drawn}</li>)
    return block.kind === 'bullets' ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>
  }
  const whole = lines.map(({ key, drawn }) => <div key={key}>{drawn}</div>)
  return block.kind === 'quote' ? <blockquote>{whole}</blockquote> : whole
}

function Line({ line }: { readonly line: readonly Inline[] }) {
  return <bdi>{line.length === 0 ? <br /> : <Nodes nodes={line} />}</bdi>
}

function Nodes({ nodes }: { readonly nodes: readonly Inline[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line have no other name.
  return nodes.map((node, place) => <Node key={place} node={node} />)
}

function Node({ node }: { readonly node: Inline }) {
  switch (node.kind) {
    case 'text':
      return node.text
    case 'code':
      return <code>{node.text}</code>
    case 'bold':
      return (
        <strong>
          <Nodes nodes={node.children} />
        </strong>
      )
    case 'italic':
      return (
        <em>
          <Nodes nodes={node.children} />
        </em>
      )
    case 'strike':
      return (
        <s>
          <Nodes nodes={node.children} />
        </s>
      )
    case 'link':
      return (
        <>
          <a href={node.href} target="_blank" rel="noopener noreferrer">
            {node.text}
          </a>
          {node.host === '' ? null : ` (${node.host})`}
        </>
      )
  }
}
