<?php
// Sends one text to many people, with pauses, and follows it to its end.
require __DIR__ . '/posthorn.php';

$body = [
    'numbers' => explode(',', getenv('CUSTOMERS')),
    'type' => 'text',
    'text' => 'Hello, we open on Sunday.',
    'delayMin' => (int) (getenv('DELAY_MIN') ?: 10),
    'delayMax' => (int) (getenv('DELAY_MAX') ?: 30),
];
$id = call('POST', '/sender/simple', $body, bin2hex(random_bytes(16)))['folder_id'];
while (($state = call('GET', "/sender/folder?id=$id"))['status'] !== 'done') {
    usleep(500_000);
}
echo json_encode(['id' => $id, 'sent' => $state['log_sucess'], 'failed' => $state['log_failed']]), "\n";
