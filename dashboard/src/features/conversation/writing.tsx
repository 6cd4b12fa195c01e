import { useEffect, useRef, useState } from 'react'
import type { Chat, Message } from '../../../../schemas/generated.js'
import { makeLate } from '../../components/late.js'
import type { NewSend, OutgoingSend } from '../../hooks/outbox.js'
import { useGroupPeople } from '../../hooks/use-inbox.js'
import { useInboxWords } from '../../words/inbox.js'
import { MessageBox } from './message-box.js'
import { findMessageBox, focusBox } from './message-entries.js'
import { MoreKinds } from './more-kinds.js'
import styles from './writing.module.css'

const FileTray = makeLate(async () => (await import('./file-tray.js')).FileTray, { isAhead: true })

export interface WritingProps {
  readonly chatId: string
  readonly chat: Chat | undefined
  /** The messages that are loaded, from which the names of a group's people are known. */
  readonly messages: readonly Message[]
  readonly replyTo: Message | null
  readonly onReplied: () => void
  readonly sends: readonly OutgoingSend[]
  readonly onSend: (send: Omit<NewSend, 'instanceId' | 'chatId'>) => void
  /** True: the box takes the focus when the chat opens. */
  readonly takesFocus: boolean
}

/** All that one can write into a chat: the box, its files, and the builders of the other kinds. */
export function Writing({ sends, messages, takesFocus, ...rest }: WritingProps) {
  const { chatId, chat, replyTo, onReplied, onSend } = rest
  const inbox = useInboxWords()
  const [composer, setComposer] = useState<'new' | OutgoingSend | null>(null)
  const [files, setFiles] = useState<readonly File[]>([])
  const place = useRef<HTMLDivElement>(null)
  const people = useGroupPeople(chatId, messages)
  const add = (more: readonly File[]) => {
    if (more.length > 0) setFiles((before) => [...before, ...more])
  }
  useEffect(() => {
    if (takesFocus) focusBox()
  }, [takesFocus])
  const isOver = useDropped(place, add)
  const done = () => {
    setFiles([])
    findMessageBox()?.focus()
  }
  return (
    <div data-composer="" ref={place} className={styles.area}>
      {isOver ? (
        <div className={styles.drop}>
          <p>{inbox.dropHere}</p>
        </div>
      ) : null}
      {files.length === 0 ? null : (
        <FileTray
          files={files}
          chatId={chatId}
          replyTo={replyTo}
          onAdd={add}
          onCancel={done}
          onSend={(all) => {
            for (const one of all) onSend(one)
            onReplied()
            done()
          }}
        />
      )}
      <MessageBox
        chatId={chatId}
        chat={chat}
        people={people}
        replyTo={replyTo}
        onReplied={onReplied}
        onSend={onSend}
        onFiles={add}
        failed={sends.filter((one) => one.state === 'failed')}
        onMend={setComposer}
        more={<MoreKinds {...rest} open={composer} onOpen={setComposer} />}
      />
    </div>
  )
}

/** Takes files that are dropped anywhere on the chat. Returns true while some are held over it. */
function useDropped(
  place: { readonly current: HTMLElement | null },
  onFiles: (files: readonly File[]) => void,
): boolean {
  const [isOver, setOver] = useState(false)
  const latest = useRef(onFiles)
  useEffect(() => {
    latest.current = onFiles
  })
  useEffect(() => {
    const target = place.current?.closest('section')
    if (!target) return undefined
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = ({ relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node) || !target.contains(relatedTarget)) setOver(false)
    }
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      latest.current([...(event.dataTransfer?.files ?? [])])
    }
    target.addEventListener('dragover', over)
    target.addEventListener('dragleave', leave)
    target.addEventListener('drop', drop)
    return () => {
      target.removeEventListener('dragover', over)
      target.removeEventListener('dragleave', leave)
      target.removeEventListener('drop', drop)
    }
  }, [place])
  return isOver
}
