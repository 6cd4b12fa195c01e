import { type ReactNode, useEffect, useId, useState } from 'react'
import { menuLimits } from '../../api/limits.js'
import { formatSize } from '../../format/size.js'
import { showUnseen } from '../../format/visible.js'
import { useComposerWords } from '../../words/composer/index.js'
import { useLanguage } from '../../words/index.js'
import { type ButtonDraft, type CardDraft, type Draft, type FileSource, isMenu } from './draft.js'
import { makeFallbackText } from './fallback-text.js'
import { fillPlaceholders } from './placeholders.js'
import styles from './preview.module.css'
import { listRemarks } from './remarks.js'

interface PreviewProps {
  readonly draft: Draft
  /** Values of placeholders, as far as they are known. */
  readonly values?: Readonly<Record<string, string>>
}

/** Draws a draft as a phone would, in light and dark, with the text that is sent where menus are refused, and what clients may not draw. */
export function Preview({ draft, values = {} }: PreviewProps) {
  const composer = useComposerWords()
  const titleId = useId()
  const [isDark, setDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches)
  const fill = (text: string) => showUnseen(fillPlaceholders(text, values))
  const remarks = listRemarks(draft, composer)
  return (
    <section className={styles.preview} aria-labelledby={titleId}>
      <div className={styles.head}>
        <h3 id={titleId}>{composer.preview}</h3>
        <fieldset className={styles.looks} aria-label={composer.preview}>
          {[false, true].map((dark) => (
            <button key={String(dark)} type="button" aria-pressed={isDark === dark} onClick={() => setDark(dark)}>
              {dark ? composer.previewDark : composer.previewLight}
            </button>
          ))}
        </fieldset>
      </div>
      <div className={styles.phone} data-look={isDark ? 'dark' : 'light'} data-kind={draft.kind}>
        <Drawn draft={draft} fill={fill} />
      </div>
      {remarks.map((remark) => (
        <p key={remark} className={styles.remark}>
          {remark}
        </p>
      ))}
      {isMenu(draft.kind) && draft.kind !== 'poll' && draft.fallback ? (
        <>
          <h4>{composer.fallbackTitle}</h4>
          <p className={styles.remark}>{composer.fallbackHelp}</p>
          <div className={styles.phone} data-look={isDark ? 'dark' : 'light'}>
            <Bubble>
              <Text text={fill(makeFallbackText(draft))} />
            </Bubble>
          </div>
        </>
      ) : null}
    </section>
  )
}

interface DrawnProps {
  readonly draft: Draft
  readonly fill: (text: string) => string
}

function Drawn({ draft, fill }: DrawnProps) {
  switch (draft.kind) {
    case 'text':
      return <PlainText draft={draft} fill={fill} />
    case 'image':
    case 'video':
    case 'document':
    case 'audio':
    case 'ptt':
    case 'sticker':
      return <FileMessage draft={draft} fill={fill} />
    case 'location':
      return <Place draft={draft} fill={fill} />
    case 'contact':
      return (
        <Bubble>
          <Text text={`👤 ${fill(draft.fullName)}`} isStrong />
          <Text text={fill([draft.phoneNumber, draft.organization].filter(Boolean).join('\n'))} isMuted />
        </Bubble>
      )
    case 'pix':
      return <Pix draft={draft} fill={fill} />
    case 'button':
      return (
        <Bubble>
          <Picture file={draft.picture} />
          <Text text={fill(draft.text)} />
          <Text text={fill(draft.footer)} isMuted />
          <Buttons buttons={draft.buttons} fill={fill} />
        </Bubble>
      )
    case 'list':
      return <List draft={draft} fill={fill} />
    case 'poll':
      return <Poll draft={draft} fill={fill} />
    case 'carousel':
      return <Carousel draft={draft} fill={fill} />
    default:
      return draft.kind satisfies never
  }
}

function Bubble({ children }: { readonly children: ReactNode }) {
  return <div className={styles.bubble}>{children}</div>
}

function Text({
  text,
  isMuted,
  isStrong,
}: {
  readonly text: string
  readonly isMuted?: boolean
  readonly isStrong?: boolean
}) {
  if (text === '') return null
  const look = isMuted ? styles.muted : isStrong ? styles.strong : ''
  return (
    <p className={`${styles.text} ${look}`}>
      <bdi>{text}</bdi>
    </p>
  )
}

function PlainText({ draft, fill }: DrawnProps) {
  const composer = useComposerWords()
  const hasLink = draft.linkPreview && /https?:\/\//i.test(draft.text)
  return (
    <Bubble>
      <Text text={fill(draft.text) || composer.emptyPreview} isMuted={draft.text === ''} />
      {hasLink ? <Text text={composer.linkBelow} isMuted /> : null}
    </Bubble>
  )
}

function FileMessage({ draft, fill }: DrawnProps) {
  const composer = useComposerWords()
  const language = useLanguage()
  const { kind, file } = draft
  const address = useObjectUrl(file)
  const name = file === null ? composer.kinds[kind] : file.from === 'file' ? file.name : file.url
  if (kind === 'image' || kind === 'sticker') {
    const picture =
      address === undefined ? (
        <Text text={`🖼 ${showUnseen(name)}`} isMuted />
      ) : (
        <img src={address} alt={composer.kinds[kind]} />
      )
    if (kind === 'sticker') return <div className={styles.sticker}>{picture}</div>
    return (
      <Bubble>
        {picture}
        <Text text={fill(draft.text)} />
      </Bubble>
    )
  }
  return (
    <Bubble>
      {kind === 'video' && address !== undefined ? (
        <video src={address} controls muted aria-label={composer.kinds.video} />
      ) : null}
      {(kind === 'audio' || kind === 'ptt') && address !== undefined ? (
        // biome-ignore lint/a11y/useMediaCaption: nobody has captions of a sound that is recorded now.
        <audio src={address} controls aria-label={composer.kinds[kind]} />
      ) : null}
      {kind === 'document' || address === undefined ? (
        <Text text={`${kind === 'document' ? '📄' : '▶'} ${showUnseen(name)}`} isStrong />
      ) : null}
      {kind === 'document' && file?.from === 'file' ? (
        <Text text={formatSize(file.blob.size, language)} isMuted />
      ) : null}
      {hasCaption(kind) ? <Text text={fill(draft.text)} /> : null}
    </Bubble>
  )
}

function hasCaption(kind: Draft['kind']): boolean {
  return kind === 'video' || kind === 'document'
}

function Place({ draft, fill }: DrawnProps) {
  return (
    <Bubble>
      <div className={styles.map}>📍</div>
      <Text text={fill(draft.place)} isStrong />
      <Text text={fill(draft.address)} />
      <Text text={`${draft.latitude}, ${draft.longitude}`} isMuted />
    </Bubble>
  )
}

function Pix({ draft, fill }: DrawnProps) {
  const composer = useComposerWords()
  return (
    <Bubble>
      <Text text={fill(draft.pixName) || 'Pix'} isStrong />
      <Text text={`${composer.pixTypes[draft.pixType] ?? draft.pixType}: ${showUnseen(draft.pixKey)}`} isMuted />
      <p className={styles.action}>⧉ {composer.copyPix}</p>
    </Bubble>
  )
}

const SIGNS = { reply: '↩', url: '↗', call: '☎', copy: '⧉' } as const

function Buttons({ buttons, fill }: { readonly buttons: readonly ButtonDraft[]; readonly fill: DrawnProps['fill'] }) {
  return buttons.map(({ key, text, does }) => (
    <p key={key} className={styles.action}>
      {SIGNS[does]} <bdi>{fill(text)}</bdi>
    </p>
  ))
}

function List({ draft, fill }: DrawnProps) {
  return (
    <>
      <Bubble>
        <Text text={fill(draft.text)} />
        <Text text={fill(draft.footer)} isMuted />
        <p className={styles.action}>
          ☰ <bdi>{fill(draft.listButton) || 'Menu'}</bdi>
        </p>
      </Bubble>
      <div className={styles.sheet}>
        {draft.sections.map(({ key, title, rows }) => (
          <div key={key}>
            <Text text={fill(title)} isMuted />
            {rows.map((row) => (
              <div key={row.key} className={styles.choice}>
                <Text text={`○ ${fill(row.text)}`} />
                <Text text={fill(row.description)} isMuted />
              </div>
            ))}
          </div>
        ))}
      </div>
    </>
  )
}

function Poll({ draft, fill }: DrawnProps) {
  const composer = useComposerWords()
  return (
    <Bubble>
      <Text text={fill(draft.text)} isStrong />
      {draft.options.map(({ key, text }) => (
        <div key={key} className={styles.choice}>
          <Text text={`${draft.selectableCount === 1 ? '○' : '☐'} ${fill(text)}`} />
        </div>
      ))}
      <p className={styles.action}>{composer.votes}</p>
    </Bubble>
  )
}

function Carousel({ draft, fill }: DrawnProps) {
  const composer = useComposerWords()
  return (
    <>
      <Bubble>
        <Text text={fill(draft.text)} />
      </Bubble>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it by keys. */}
      <section className={styles.cards} tabIndex={0} aria-label={composer.kinds.carousel}>
        {draft.cards.slice(0, menuLimits.cards).map((card) => (
          <Bubble key={card.key}>
            {card.shows === 'image' ? <Picture file={card.file} /> : <FileName card={card} />}
            <Text text={fill(card.text)} />
            <Buttons buttons={card.buttons} fill={fill} />
          </Bubble>
        ))}
      </section>
    </>
  )
}

function FileName({ card: { shows, file } }: { readonly card: CardDraft }) {
  if (file === null) return null
  return (
    <Text text={`${shows === 'video' ? '▶' : '🗎'} ${showUnseen(file.from === 'url' ? file.url : file.name)}`} isMuted />
  )
}

function Picture({ file }: { readonly file: FileSource | null }) {
  const address = useObjectUrl(file)
  if (file === null) return null
  return address === undefined ? (
    <Text text={`🖼 ${file.from === 'url' ? showUnseen(file.url) : ''}`} isMuted />
  ) : (
    <img src={address} alt="" />
  )
}

/** Returns an address of a local file for this page. Pictures of other hosts are not fetched, since their hosts would learn of it. */
function useObjectUrl(file: FileSource | null): string | undefined {
  const blob = file?.from === 'file' ? file.blob : undefined
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    // SVG can hold scripts; the network takes none either.
    if (blob === undefined || !/^(image\/(?!svg)|audio\/|video\/)/.test(blob.type)) return setAddress(undefined)
    const made = URL.createObjectURL(blob)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return address
}
