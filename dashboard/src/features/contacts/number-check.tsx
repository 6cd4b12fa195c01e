import { Link } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { DataTable } from '../../components/data-table.js'
import { Failure } from '../../components/failure.js'
import { TextField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { Card } from '../../components/notice.js'
import { ShowCurl } from '../../components/show-curl.js'
import { showUnseen } from '../../format/visible.js'
import { useCheckNumbers } from '../../hooks/use-contacts.js'
import { useSentence } from '../../hooks/use-sentences.js'
import { useThisInstance } from '../../hooks/use-this-instance.js'
import { useContactWords } from '../../words/contacts/index.js'
import { numberSentences } from '../../words/sentences/numbers.js'
import { splitNumbers } from '../groups/numbers-in.js'

/** Asks the network which numbers have an account. */
export function NumberCheck() {
  const words = useContactWords()
  const say = useSentence(numberSentences)
  const titleId = useId()
  const { id } = useThisInstance()
  const check = useCheckNumbers()
  const [typed, setTyped] = useState('')
  const numbers = splitNumbers(typed)

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (!check.isPending && numbers.length > 0) check.mutate(numbers)
  }

  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{words.checkTitle}</h2>
      <form className={layout.form} onSubmit={submit}>
        <TextField
          label={words.numbers}
          help={words.numbersHelp}
          rows={3}
          required
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <div className={layout.row}>
          <Button type="submit" isBusy={check.isPending}>
            {words.check}
          </Button>
          <ShowCurl call={buildShownCall('checkNumbers', { body: { numbers } })} />
        </div>
      </form>
      {check.error === null ? null : <Failure error={check.error} />}
      {check.data === undefined ? null : (
        <DataTable
          labelledBy={titleId}
          heads={[words.asked, words.result, words.actions]}
          rows={check.data}
          row={({ query, jid = '', isInWhatsapp, error = '' }, place) => ({
            key: `${place} ${query}`,
            cells: [
              <bdi key="asked">{showUnseen(query)}</bdi>,
              <span key="result">
                {isInWhatsapp ? words.isThere : error === '' ? words.isNotThere : <bdi>{say(error)}</bdi>}
              </span>,
              isInWhatsapp && jid !== '' ? (
                <Link
                  key="write"
                  to="/instances/$id/chats"
                  params={{ id }}
                  search={{ chat: jid }}
                  aria-label={words.writeTo(showUnseen(query))}
                >
                  {words.write}
                </Link>
              ) : (
                ''
              ),
            ],
          })}
        />
      )}
    </Card>
  )
}
