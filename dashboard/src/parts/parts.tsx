/** Each part of the pages in each of its states. Only the tests build it: `test/browser/parts.browser.ts`. */
import { CSPProvider } from '@base-ui/react/csp-provider'
import { Inbox, Megaphone, Pencil, Plus, Search, Trash2 } from 'lucide-react'
import { type ReactNode, StrictMode, useId, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Problem } from '../api/problem.js'
import { Avatar } from '../components/avatar.js'
import { Button, IconButton } from '../components/button.js'
import { Choices } from '../components/choices.js'
import { Copyable } from '../components/copyable.js'
import { DataTable } from '../components/data-table.js'
import { Dialog } from '../components/dialog.js'
import { EmptyState } from '../components/empty-state.js'
import { Failure } from '../components/failure.js'
import { CheckField, InputField, SelectField, TextField } from '../components/field.js'
import { MenuButton } from '../components/menu.js'
import { Card, Notice } from '../components/notice.js'
import { PageHeader } from '../components/page-header.js'
import { Skeleton } from '../components/skeleton.js'
import { Badge, StatusPill } from '../components/status-pill.js'
import { Tabs } from '../components/tabs.js'
import { say } from '../components/toast.js'
import { Toasts } from '../components/toasts.js'
import '../styles/base.css'
import { loadWords } from '../words/index.js'

const PEOPLE = ['Ana Souza', 'Ben Oliveira', 'Carla Dias', '+5511999990002']

function Parts() {
  return (
    <main className="mx-auto grid max-w-5xl grid-cols-[minmax(0,1fr)] gap-6 p-4">
      <PageHeader title="Parts" about="Each part in each of its states.">
        <Button icon={Plus} look="main">
          Main action
        </Button>
      </PageHeader>
      <Buttons />
      <Fields />
      <Opening />
      <Said />
      <Lists />
      <Toasts />
    </main>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <Card labelledBy={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </Card>
  )
}

function Row({ children }: { readonly children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-2">{children}</div>
}

function Buttons() {
  return (
    <Part title="Buttons">
      <Row>
        <Button look="main">Save</Button>
        <Button>Cancel</Button>
        <Button look="danger" icon={Trash2}>
          Delete
        </Button>
        <Button look="quiet">More</Button>
        <Button disabled>Disabled</Button>
        <Button look="main" isBusy>
          Busy
        </Button>
        <Button size="small" icon={Pencil}>
          Small
        </Button>
        <IconButton icon={Search} name="Search" />
        <IconButton icon={Search} name="Search with an edge" look="plain" aria-pressed="true" />
      </Row>
      <Row>
        <StatusPill status="connected" word="Connected" />
        <StatusPill status="connecting" word="Connecting" />
        <StatusPill status="disconnected" word="Disconnected" />
        <Badge>Draft</Badge>
        <Badge tone="good">Delivered</Badge>
        <Badge tone="busy">Waits</Badge>
        <Badge tone="bad">Failed</Badge>
        <Badge tone="info">Read</Badge>
      </Row>
      <Row>
        {PEOPLE.map((name) => (
          <Avatar key={name} name={name} />
        ))}
        <Avatar name="Farmácia Central" size="small" />
        <Avatar name="Helena Rocha" size="large" />
      </Row>
    </Part>
  )
}

function Fields() {
  return (
    <Part title="Fields">
      <div className="grid gap-4 md:grid-cols-2">
        <InputField label="Name" defaultValue="Shop, north" help="For people." />
        <InputField label="Number" defaultValue="12" wrong="Write it with its country code." />
        <SelectField label="Kind">
          <option>Text</option>
        </SelectField>
        <InputField label="Placeholder" placeholder="Type here" />
        <TextField label="Text" rows={2} defaultValue="Good morning" />
        <CheckField label="Only with an open ticket" defaultChecked help="It can be changed later." />
      </div>
    </Part>
  )
}

function Opening() {
  const [isOpen, setOpen] = useState(false)
  const [view, setView] = useState<'table' | 'board'>('table')
  const options = [
    ['table', 'Table'],
    ['board', 'Board'],
  ] as const
  return (
    <Part title="What opens">
      <Choices label="View" options={options} chosen={view} onChoose={setView} />
      <Tabs
        label="Way"
        first="qr"
        tabs={[
          { value: 'qr', word: 'QR code', panel: <p>Point the phone at the code.</p> },
          { value: 'code', word: 'Phone number', panel: <p>Type the code on the phone.</p> },
        ]}
      />
      <Row>
        <MenuButton
          text="Menu"
          icon={Megaphone}
          entries={[
            { group: 'Message', entries: [{ text: 'Edit', icon: Pencil, onChoose: () => undefined }] },
            { group: 'Danger', entries: [{ text: 'Delete', icon: Trash2, isDanger: true, onChoose: () => undefined }] },
          ]}
        />
        <Button onClick={() => setOpen(true)}>Dialog</Button>
        <Button onClick={() => say('The chat was archived.', { word: 'Undo', run: () => undefined })}>Toast</Button>
      </Row>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="A dialog">
        <InputField label="Name in the dialog" />
        <Row>
          <Button look="main" onClick={() => setOpen(false)}>
            Done
          </Button>
        </Row>
      </Dialog>
    </Part>
  )
}

function Said() {
  return (
    <Part title="What is said">
      <Notice>Nothing needs attention.</Notice>
      <Notice look="busy">The gateway does not answer.</Notice>
      <Failure
        error={new Problem('QUEUE_FULL', 429, 'The queue of this instance is full.', 'request-1')}
        onRetry={() => undefined}
      />
      <Copyable text="curl https://gateway.example/send/text" copy="Copy" copied="Copied" />
      <EmptyState icon={Inbox} title="No chat yet" action={<Button look="main">Write a message</Button>}>
        Chats appear here when somebody writes.
      </EmptyState>
      <Skeleton rows={3} />
    </Part>
  )
}

function Lists() {
  const id = useId()
  return (
    <Part title="Lists">
      <h3 id={id}>People</h3>
      <DataTable
        labelledBy={id}
        heads={['Name', 'Number', 'Note', 'Actions']}
        rows={PEOPLE}
        row={(name) => ({
          key: name,
          cells: [
            name,
            '+55 11 99999-0001',
            name.startsWith('A') ? 'Buys on Fridays' : '',
            <Button key="edit" size="small">
              Edit
            </Button>,
          ],
        })}
      />
    </Part>
  )
}

await loadWords()
const root = document.getElementById('root')
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <Parts />
      </CSPProvider>
    </StrictMode>,
  )
