import { type FormEvent, useId, useState } from 'react'
import { Button } from '../../components/button.js'
import { Choices } from '../../components/choices.js'
import { Copyable } from '../../components/copyable.js'
import { InputField, TextField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { Card, Notice } from '../../components/notice.js'
import { canSign, signPayload } from '../../format/signature.js'
import { useWords } from '../../words/index.js'
import { useWebhookWords } from '../../words/webhooks/index.js'
import { type SnippetLanguage, snippets } from './snippets.js'

/** One delivery as its receiver got it. */
export interface SignedDelivery {
  readonly id: string
  readonly time: string
  readonly header: string
  readonly body: string
}

const NOTHING: SignedDelivery = { id: '', time: '', header: '', body: '' }
const LANGUAGES = (Object.keys(snippets) as SnippetLanguage[]).map((name) => [name, name] as const)

/** Explains the signature of a delivery, checks it in this page, and shows code that does so in a receiver. */
export function SignatureHelp({ delivery = NOTHING }: { readonly delivery?: SignedDelivery }) {
  const words = useWords()
  const hook = useWebhookWords()
  const titleId = useId()
  const [language, setLanguage] = useState<SnippetLanguage>('Node.js')
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{hook.signature}</h2>
      <p>{hook.signatureHelp}</p>
      {canSign() ? (
        <SignatureCheck key={delivery.id + delivery.time} delivery={delivery} />
      ) : (
        <Notice>{hook.noCrypto}</Notice>
      )}
      <h3>{hook.code}</h3>
      <Choices label={hook.language} options={LANGUAGES} chosen={language} onChoose={setLanguage} />
      <Copyable text={snippets[language]} copy={words.copy} copied={words.copied} />
    </Card>
  )
}

/** The secret stays in the state of this component: nothing here calls the gateway. */
function SignatureCheck({ delivery }: { readonly delivery: SignedDelivery }) {
  const hook = useWebhookWords()
  const [typed, setTyped] = useState(delivery)
  const [secret, setSecret] = useState('')
  const [result, setResult] = useState<'fits' | 'fitsNot' | 'wrongSecret' | undefined>(undefined)
  const change = (field: keyof SignedDelivery) => (value: string) => {
    setTyped((before) => ({ ...before, [field]: value }))
    setResult(undefined)
  }

  async function check(event: FormEvent): Promise<void> {
    event.preventDefault()
    const { id, time, header, body } = typed
    const expected = await signPayload({ id: id.trim(), timestamp: time.trim(), body, secret })
    if (expected === undefined) setResult('wrongSecret')
    else setResult(header.trim().split(/\s+/).includes(expected) ? 'fits' : 'fitsNot')
  }

  return (
    <form className={layout.form} onSubmit={(event) => void check(event)}>
      <div className={layout.columns}>
        {(['id', 'time', 'header'] as const).map((field) => (
          <InputField
            key={field}
            label={hook[field]}
            required
            autoComplete="off"
            spellCheck={false}
            maxLength={1_000}
            value={typed[field]}
            onChange={({ target }) => change(field)(target.value)}
          />
        ))}
      </div>
      <TextField
        label={hook.bodyText}
        rows={4}
        spellCheck={false}
        value={typed.body}
        onChange={({ target }) => change('body')(target.value)}
      />
      <InputField
        label={hook.secret}
        help={hook.secretNever}
        wrong={result === 'wrongSecret' ? hook.wrongSecret : undefined}
        type="password"
        required
        autoComplete="off"
        value={secret}
        onChange={({ target }) => {
          setSecret(target.value)
          setResult(undefined)
        }}
      />
      <div className={layout.row}>
        <Button type="submit">{hook.checkNow}</Button>
        {result === 'fits' || result === 'fitsNot' ? (
          <Notice look={result === 'fits' ? 'plain' : 'bad'}>{hook[result]}</Notice>
        ) : null}
      </div>
    </form>
  )
}
