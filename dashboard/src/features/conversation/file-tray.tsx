import { FileText, Music, Plus, SendHorizontal } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Message } from '../../../../schemas/generated.js'
import { CheckField } from '../../components/field.js'
import { readOwnZone } from '../../format/local-time.js'
import { formatSize } from '../../format/size.js'
import { showUnseen } from '../../format/visible.js'
import type { NewSend } from '../../hooks/outbox.js'
import { useShownFeatures } from '../../hooks/use-features.js'
import { useAlbumWords } from '../../words/albums.js'
import { useInboxWords } from '../../words/inbox.js'
import { useLanguage } from '../../words/index.js'
import { type Kind, makeDraft } from '../composer/draft.js'
import { makeNoOptions, makeSendCall } from '../composer/request.js'
import { summarise } from '../composer/summary.js'
import { makeAlbum, mayBeAlbum } from './album-send.js'
import { CloseIcon, IconButton } from './icon-button.js'
import styles from './tray.module.css'

const FILES_MAX = 30
const CAPTION_MAX = 1_024

type Send = Omit<NewSend, 'instanceId' | 'chatId'>

interface FileTrayProps {
  readonly files: readonly File[]
  readonly chatId: string
  readonly replyTo: Message | null
  readonly onAdd: (files: readonly File[]) => void
  readonly onSend: (sends: readonly Send[]) => void
  readonly onCancel: () => void
}

/** Files that were chosen, dropped or pasted, over the chat: each with its caption, until they are sent. */
export function FileTray({ files, chatId, replyTo, onAdd, onSend, onCancel }: FileTrayProps) {
  const inbox = useInboxWords()
  const albums = useAlbumWords()
  const language = useLanguage()
  const features = useShownFeatures()
  const [gone, setGone] = useState<ReadonlySet<File>>(new Set())
  const [captions, setCaptions] = useState<ReadonlyMap<File, string>>(new Map())
  const [chosen, setChosen] = useState<File | null>(null)
  const [asDocuments, setAsDocuments] = useState(false)
  const [isApart, setApart] = useState(false)
  const picker = useRef<HTMLInputElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const maxBytes = features?.mediaMaxBytes ?? Number.POSITIVE_INFINITY
  const kept = files.filter((file) => !gone.has(file))
  const fitting = kept.filter(({ size }) => size <= maxBytes).slice(0, FILES_MAX)
  const isAlbum = mayBeAlbum(fitting, chatId) && !asDocuments && !isApart
  const shown = chosen !== null && fitting.includes(chosen) ? chosen : fitting[0]
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file is another caption.
  useEffect(() => field.current?.focus(), [shown])
  useEffect(() => {
    if (kept.length === 0) onCancel()
  }, [kept.length, onCancel])
  const send = () => {
    if (fitting.length === 0) return
    const findCaption = (file: File) => captions.get(file) ?? ''
    if (isAlbum) return onSend([makeAlbum({ files: fitting, findCaption, chatId, replyTo })])
    onSend(
      fitting.map((file, place) =>
        makeFileSend({ file, caption: findCaption(file), asDocuments, chatId, replyTo: place === 0 ? replyTo : null }),
      ),
    )
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onCancel()
  }
  return (
    <section className={styles.tray} aria-label={inbox.filesToSend} onKeyDown={onKey}>
      <div className={styles.head}>
        <IconButton label={inbox.cancel} onClick={onCancel}>
          <CloseIcon size={22} />
        </IconButton>
        <p>
          <bdi>{showUnseen(shown?.name.slice(0, 200) ?? '')}</bdi>
        </p>
      </div>
      <div className={styles.stage}>{shown === undefined ? null : <Sight file={shown} isLarge />}</div>
      {kept
        .filter(({ size }) => size > maxBytes)
        .map(({ name }) => (
          <p key={name} role="alert" className={styles.wrong}>
            {inbox.tooBig(showUnseen(name.slice(0, 100)), formatSize(maxBytes, language))}
          </p>
        ))}
      {kept.length > FILES_MAX ? <p role="alert">{inbox.tooMany(FILES_MAX)}</p> : null}
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <input
          ref={field}
          className={styles.caption}
          aria-label={inbox.caption}
          placeholder={inbox.caption}
          maxLength={CAPTION_MAX}
          value={shown === undefined ? '' : (captions.get(shown) ?? '')}
          onChange={({ target }) => {
            if (shown !== undefined) setCaptions(new Map(captions).set(shown, target.value))
          }}
        />
        <IconButton label={inbox.sendFiles(fitting.length)} look="main" type="submit">
          <SendHorizontal size={20} aria-hidden="true" />
        </IconButton>
      </form>
      <div className={styles.strip}>
        {fitting.map((file, place) => (
          <Tile
            // biome-ignore lint/suspicious/noArrayIndexKey: the same file may have been chosen twice.
            key={`${file.name} ${file.lastModified} ${place}`}
            file={file}
            label={inbox.fileOf(place + 1, fitting.length)}
            isChosen={file === shown}
            onChoose={() => setChosen(file)}
            onRemove={() => setGone(new Set(gone).add(file))}
          />
        ))}
        <IconButton label={inbox.addFiles} onClick={() => picker.current?.click()}>
          <Plus size={22} aria-hidden="true" />
        </IconButton>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-hidden="true"
          tabIndex={-1}
          onChange={({ target }) => onAdd([...(target.files ?? [])])}
        />
        <CheckField
          label={inbox.asDocuments}
          checked={asDocuments}
          onChange={({ target }) => setAsDocuments(target.checked)}
        />
        {mayBeAlbum(fitting, chatId) && !asDocuments ? (
          <CheckField label={albums.together} checked={!isApart} onChange={({ target }) => setApart(!target.checked)} />
        ) : null}
      </div>
    </section>
  )
}

interface Given {
  readonly file: File
  readonly caption: string
  readonly asDocuments: boolean
  readonly chatId: string
  readonly replyTo: Message | null
}

/** The call that sends a file, and what the composer needs to mend it. */
function makeFileSend({ file, caption, asDocuments, chatId, replyTo }: Given): Send {
  const draft = {
    ...makeDraft(asDocuments ? 'document' : chooseKind(file)),
    text: caption,
    file: { from: 'file', name: file.name || 'file', blob: file } as const,
  }
  const options = makeNoOptions(readOwnZone())
  const { operation, body, files } = makeSendCall(draft, chatId, options, replyTo?.id)
  return {
    operation,
    // The builders make a body of the operation; the gateway checks it again.
    body: body as never,
    files,
    written: { draft, options },
    shown: { ...summarise(draft), ...(replyTo === null ? {} : { quoted: replyTo.messageid }) },
  }
}

function chooseKind({ type }: File): Kind {
  if (/^image\/(jpeg|png|webp|gif|heic|heif|avif)$/.test(type)) return 'image'
  if (type.startsWith('video/')) return 'video'
  return type.startsWith('audio/') ? 'audio' : 'document'
}

interface TileProps {
  readonly file: File
  readonly label: string
  readonly isChosen: boolean
  readonly onChoose: () => void
  readonly onRemove: () => void
}

function Tile({ file, label, isChosen, onChoose, onRemove }: TileProps) {
  const inbox = useInboxWords()
  return (
    <span className={styles.tile} data-chosen={isChosen ? '' : undefined}>
      <button
        type="button"
        aria-label={`${label}: ${showUnseen(file.name)}`}
        aria-pressed={isChosen}
        onClick={onChoose}
      >
        <Sight file={file} />
      </button>
      <button
        type="button"
        className={styles.remove}
        aria-label={inbox.removeFile(showUnseen(file.name))}
        onClick={onRemove}
      >
        <CloseIcon size={14} />
      </button>
    </span>
  )
}

/** What is seen of a file. SVG can hold scripts, and is not drawn. */
function Sight({ file, isLarge = false }: { readonly file: File; readonly isLarge?: boolean }) {
  const language = useLanguage()
  const url = useAddress(file)
  if (url !== undefined && file.type.startsWith('image/')) return <img src={url} alt="" />
  if (url !== undefined && file.type.startsWith('video/')) return <video src={url} controls={isLarge} muted />
  const Sign = file.type.startsWith('audio/') ? Music : FileText
  return (
    <span className={styles.sign}>
      <Sign size={isLarge ? 64 : 26} aria-hidden="true" />
      {isLarge ? formatSize(file.size, language) : null}
    </span>
  )
}

function useAddress(file: File): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!/^(image\/(?!svg)|video\/)/.test(file.type)) return undefined
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => {
      setUrl(undefined)
      URL.revokeObjectURL(made)
    }
  }, [file])
  return url
}
