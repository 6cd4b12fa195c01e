import { type FormEvent, useId, useState } from 'react'
import { Button } from '../../components/button.js'
import { Failure } from '../../components/failure.js'
import { InputField } from '../../components/field.js'
import { showUnseen } from '../../format/visible.js'
import { type DemoPhone, useDemoPhones, useWriteOnPhone } from '../../hooks/use-demo.js'
import { useDemoWords } from '../../words/demo/index.js'
import { useWords } from '../../words/index.js'
import styles from './demo-phones.module.css'

/** The phones of the demo beside the page, to write from the other end. */
export function DemoPhones({ onClose }: { readonly onClose: () => void }) {
  const words = useWords()
  const demo = useDemoWords()
  const { data: phones, error } = useDemoPhones()
  return (
    <aside className={styles.panel} aria-label={demo.title}>
      <div className={styles.head}>
        <h2>{demo.title}</h2>
        <Button onClick={onClose}>{words.close}</Button>
      </div>
      <p>{demo.help}</p>
      {error === null ? null : <Failure error={error} />}
      {phones?.map((phone) => (
        <Phone key={phone.number} phone={phone} other={phones.find(({ number }) => number !== phone.number)} />
      ))}
    </aside>
  )
}

function Phone({ phone, other }: { readonly phone: DemoPhone; readonly other: DemoPhone | undefined }) {
  const demo = useDemoWords()
  const titleId = useId()
  const write = useWriteOnPhone()
  const [text, setText] = useState('')
  const { number, name, messages } = phone
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (write.isPending || text.trim() === '' || other === undefined) return
    write.mutate({ from: number, to: other.number, text }, { onSuccess: () => setText('') })
  }
  return (
    <section aria-labelledby={titleId} className={styles.phone}>
      <h3 id={titleId}>
        <bdi>{demo.phoneOf(showUnseen(name))}</bdi> <span className={styles.number}>+{number}</span>
      </h3>
      <ol className={styles.messages} aria-label={demo.messages(showUnseen(name))}>
        {messages.map(({ id, text: written, own }) => (
          <li key={id} className={own ? styles.own : undefined}>
            <bdi>{showUnseen(written.slice(0, 500))}</bdi>
          </li>
        ))}
      </ol>
      {other === undefined ? null : (
        <form className={styles.form} onSubmit={submit}>
          <InputField
            label={demo.writeTo(showUnseen(name), showUnseen(other.name))}
            autoComplete="off"
            maxLength={4_096}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          <Button type="submit" isBusy={write.isPending}>
            {demo.send}
          </Button>
        </form>
      )}
      {write.error === null ? null : <Failure error={write.error} />}
    </section>
  )
}
