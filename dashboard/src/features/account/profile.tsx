import { useId, useState } from 'react'
import type { Instance } from '../../../../schemas/generated.js'
import { Problem } from '../../api/problem.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { InputField, TextField } from '../../components/field.js'
import { Card } from '../../components/notice.js'
import { type Scope, useWrite } from '../../hooks/use-operation.js'
import { useAccountWords } from '../../words/account/index.js'
import { usePictureWords } from '../../words/picture/index.js'
import { PictureForm } from '../portrait/picture-form.js'
import { Portrait } from '../portrait/portrait.js'
import { SettingsForm } from '../settings/settings-form.js'

const NAME_MAX = 25
const ABOUT_MAX = 139
const PICTURE_PX = 96

interface ProfileProps {
  readonly scope: Scope
  readonly instance: Instance
}

/** Name, about text and picture of the account. */
export function Profile({ scope, instance }: ProfileProps) {
  return (
    <>
      <Name scope={scope} instance={instance} />
      <About scope={scope} />
      <Picture scope={scope} />
    </>
  )
}

function Name({ scope, instance }: ProfileProps) {
  const words = useAccountWords()
  const change = useWrite(scope, 'setProfileName', ['status'])
  const [name, setName] = useState(instance.profileName ?? '')
  const body = { name: name.trim() }
  return (
    <SettingsForm
      title={words.name}
      change={change}
      call={buildShownCall('setProfileName', { body })}
      onSave={() => change.mutate({ body })}
    >
      <InputField
        label={words.nameLabel}
        required
        pattern=".*\S.*"
        maxLength={NAME_MAX}
        autoComplete="off"
        value={name}
        wrong={change.error instanceof Problem ? change.error.fields.name : undefined}
        onChange={({ target }) => setName(target.value)}
      />
    </SettingsForm>
  )
}

function About({ scope }: Pick<ProfileProps, 'scope'>) {
  const words = useAccountWords()
  const change = useWrite(scope, 'setProfileStatus')
  const [text, setText] = useState('')
  const body = { text: text.trim() }
  return (
    <SettingsForm
      title={words.about}
      change={change}
      call={buildShownCall('setProfileStatus', { body })}
      onSave={() => change.mutate({ body })}
    >
      <TextField
        label={words.aboutLabel}
        help={words.aboutHelp}
        rows={2}
        required
        maxLength={ABOUT_MAX}
        value={text}
        wrong={change.error instanceof Problem ? change.error.fields.text : undefined}
        onChange={({ target }) => setText(target.value)}
      />
      <div>
        <Button
          isBusy={change.isPending}
          onClick={() => change.mutate({ body: { text: '' } }, { onSuccess: () => setText('') })}
        >
          {words.removeAbout}
        </Button>
      </div>
    </SettingsForm>
  )
}

function Picture({ scope }: Pick<ProfileProps, 'scope'>) {
  const words = usePictureWords()
  const titleId = useId()
  const change = useWrite(scope, 'setProfileImage')
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{words.picture}</h2>
      <Portrait id={scope.id} credential={scope.credential} size={PICTURE_PX} />
      <PictureForm
        id={scope.id}
        onChange={(image) => change.mutateAsync({ body: { image } })}
        createCall={(image, files) => buildShownCall('setProfileImage', { body: { image }, files })}
      />
    </Card>
  )
}
