import { encodeBase64 } from '../../format/base64.js'

/** Size to which the gateway cuts pictures of products. Larger ones would only fill the call. */
const SIDE_PX = 640
const QUALITY = 0.85

/** Returns a picture as a square JPEG in base64: its middle, as the gateway cuts it. @throws Error if it cannot be read */
export async function makeSquarePicture(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file)
  try {
    const side = Math.min(picture.width, picture.height)
    const canvas = document.createElement('canvas')
    canvas.width = Math.min(side, SIDE_PX)
    canvas.height = canvas.width
    const context = canvas.getContext('2d')
    if (context === null) throw new Error('The browser draws no picture.')
    // Transparent parts would become black.
    context.fillStyle = '#ffffff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    const [x, y] = [(picture.width - side) / 2, (picture.height - side) / 2]
    context.drawImage(picture, x, y, side, side, 0, 0, canvas.width, canvas.height)
    const made = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY))
    if (made === null) throw new Error('The browser wrote no picture.')
    return await encodeBase64(made)
  } finally {
    picture.close()
  }
}
