<?php
// Sends a picture from a file, with a text below it.
require __DIR__ . '/posthorn.php';

// A URL works too: 'file' => 'https://example.org/picture.png'.
$file = base64_encode(file_get_contents(getenv('PICTURE')));
$body = ['number' => getenv('CUSTOMER'), 'type' => 'image', 'file' => $file, 'text' => 'Look!'];
$sent = call('POST', '/send/media', $body, bin2hex(random_bytes(16)));
echo json_encode(['messageid' => $sent['messageid'], 'fileURL' => $sent['fileURL']]), "\n";
