import { type FormEvent, useId, useState } from 'react'
import { Problem } from '../../api/problem.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Failure } from '../../components/failure.js'
import { InputField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { Card, Notice } from '../../components/notice.js'
import { ShowCurl } from '../../components/show-curl.js'
import { showUnseen } from '../../format/visible.js'
import { useAddContact } from '../../hooks/use-contacts.js'
import { useContactWords } from '../../words/contacts/index.js'

/** Saves a person in the address book of the account. */
export function NewContact() {
  const words = useContactWords()
  const titleId = useId()
  const add = useAddContact()
  const [name, setName] = useState('')
  const [phone, setPhone] = useState('')
  const fields = add.error instanceof Problem ? add.error.fields : {}
  const body = { phone: phone.trim(), name: name.trim() }

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (add.isPending) return
    add.mutate(body, {
      onSuccess: () => {
        setName('')
        setPhone('')
      },
    })
  }

  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{words.addTitle}</h2>
      <p>{words.addHelp}</p>
      <form className={layout.form} onSubmit={submit}>
        <div className={layout.columns}>
          <InputField
            label={words.phone}
            wrong={fields.phone}
            type="tel"
            required
            maxLength={100}
            value={phone}
            onChange={({ target }) => setPhone(target.value)}
          />
          <InputField
            label={words.name}
            wrong={fields.name}
            required
            pattern=".*\S.*"
            maxLength={200}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </div>
        <div className={layout.row}>
          <Button type="submit" look="main" isBusy={add.isPending}>
            {words.add}
          </Button>
          <ShowCurl call={buildShownCall('addContact', { body })} />
        </div>
        {add.error === null ? null : <Failure error={add.error} />}
        {add.data === undefined ? null : <Notice>{words.added(showUnseen(add.data.contact.name))}</Notice>}
      </form>
    </Card>
  )
}
