import { type FormEvent, useState } from 'react'
import type { CampaignFolder, EditCampaignRequest } from '../../../../schemas/generated.js'
import { fieldLimits } from '../../api/limits.js'
import { Problem } from '../../api/problem.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { Failure } from '../../components/failure.js'
import { InputField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { ShowCurl } from '../../components/show-curl.js'
import { useCampaignWrite } from '../../hooks/use-campaigns.js'
import { useThisInstance } from '../../hooks/use-this-instance.js'
import { useCampaignWords } from '../../words/campaigns/index.js'
import { ZoneField } from '../composer/options-part.js'

/** Changes how many messages a campaign sends on a day, while it runs too. */
export function DailyCap({ folder }: { readonly folder: CampaignFolder }) {
  const words = useCampaignWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{words.editDailyCap}</Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={words.editDailyCap}>
        <CapForm folder={folder} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function CapForm({ folder, onDone }: { readonly folder: CampaignFolder; readonly onDone: () => void }) {
  const words = useCampaignWords()
  const { id, credential } = useThisInstance()
  const edit = useCampaignWrite(id, credential, 'editCampaign')
  const [cap, setCap] = useState(folder.dailyCap === null ? '' : String(folder.dailyCap))
  const [timezone, setTimezone] = useState(folder.timezone)
  const reasons = edit.error instanceof Problem ? edit.error.fields : {}
  const body: EditCampaignRequest = {
    folder_id: folder.id,
    action: 'update',
    dailyCap: cap === '' ? null : Number(cap),
    ...(timezone === '' || timezone === folder.timezone ? {} : { timezone }),
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!edit.isPending) edit.mutate(body, { onSuccess: onDone })
  }
  return (
    <form className={layout.form} onSubmit={submit}>
      <InputField
        label={words.dailyCap}
        help={words.dailyCapHelp}
        type="number"
        min={1}
        max={fieldLimits.campaign.dailyCap.maximum}
        wrong={reasons.dailyCap}
        value={cap}
        onChange={({ target }) => setCap(target.value)}
      />
      {cap === '' ? null : <ZoneField value={timezone} wrong={reasons.timezone} onChange={setTimezone} />}
      {edit.error === null || Object.keys(reasons).length > 0 ? null : <Failure error={edit.error} />}
      <div className={layout.row}>
        <Button type="submit" look="main" isBusy={edit.isPending}>
          {words.save}
        </Button>
        <ShowCurl call={buildShownCall('editCampaign', { body })} />
      </div>
    </form>
  )
}
