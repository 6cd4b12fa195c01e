// Sends one text to many people, with pauses, and follows it to its end.
import { createPosthorn } from 'posthorn-client'

const { POSTHORN_URL, POSTHORN_TOKEN, CUSTOMERS } = process.env
const posthorn = createPosthorn({ url: POSTHORN_URL, token: POSTHORN_TOKEN })
const { folder_id: id } = await posthorn.createSimpleCampaign({
  numbers: CUSTOMERS.split(','),
  type: 'text',
  text: 'Hello, we open on Sunday.',
  delayMin: Number(process.env.DELAY_MIN ?? 10),
  delayMax: Number(process.env.DELAY_MAX ?? 30),
})
for (;;) {
  const { status, log_sucess: sent, log_failed: failed } = await posthorn.showCampaign({ id })
  if (status === 'done') {
    console.log(JSON.stringify({ id, sent, failed }))
    break
  }
  await new Promise((resolve) => setTimeout(resolve, 500))
}
