// Sentences of documentation, each with plain paraphrases of it: other order, voice, number, connecting words,
// synonyms, shorter, or two neighbours merged.

type Sample = { readonly text: string; readonly paraphrases: readonly string[] }

export const ENGLISH: readonly Sample[] = [
  {
    text: 'A failed delivery is retried three times. The pause doubles after each attempt. You cannot change the number of attempts.',
    paraphrases: [
      'Failed deliveries are retried three times.',
      'The pause doubles after each attempt.',
      'After each attempt, the pause doubles.',
      'The number of attempts cannot be changed.',
      'A failed delivery is retried 3 times, and the pause doubles after each attempt.',
      "You can't change the number of attempts.",
      'It is retried three times.',
    ],
  },
  {
    text: 'The desk is open for 6 hours on Mondays. Guests may read public spaces and nothing else. A new key is shown once on the page of your account, right after it was made.',
    paraphrases: [
      'On Mondays, the desk is open for 6 hours.',
      'On Mondays the desk is open for six hours.',
      'Guests may read public spaces.',
      'Public spaces may be read by guests.',
      'A new key is shown once on your account page, right after it was made.',
      'New keys are shown once, right after they were made.',
    ],
  },
  {
    text: 'The server encrypts every backup before it leaves the machine. Backups are kept for 30 days. Only administrators can restore a backup.',
    paraphrases: [
      'Every backup is encrypted by the server before it leaves the machine.',
      'The server encrypts every backup before it leaves the machine, and backups are kept for 30 days.',
      'Backups are kept for 30 days.',
      'For 30 days, backups are kept.',
      'Only administrators can restore backups.',
      'Only administrators can recover a backup.',
      'The server keeps backups for 30 days.',
    ],
  },
  {
    text: 'To delete a project, open its settings and choose Remove. Deleted projects can be restored within 14 days. Files larger than 25 MB are rejected.',
    paraphrases: [
      'To remove a project, open its settings and choose Remove.',
      'Open the settings of the project and choose Remove to delete it.',
      'Within 14 days, deleted projects can be restored.',
      'You can restore deleted projects within 14 days.',
      'Files larger than 25 megabytes are rejected.',
      'A file larger than 25 MB is rejected.',
    ],
  },
  {
    text: 'If a token expires, the client must request a new one. Tokens expire after 90 minutes. The refresh token is stored in a cookie.',
    paraphrases: [
      'The client must request a new one if a token expires.',
      'When a token expires, the client must request a new one.',
      'A token expires after 90 minutes.',
      'After 90 minutes, tokens expire.',
      'Refresh tokens are stored in a cookie.',
      'Tokens expire after 90 minutes, and the refresh token is stored in a cookie.',
    ],
  },
  {
    text: 'Webhooks are signed with a secret. They are sent from the address 10.0.0.1. Set `retries` to change how often they are sent.',
    paraphrases: [
      'Webhooks are signed using a secret.',
      'Webhooks are sent from the address 10.0.0.1.',
      'A secret is used to sign webhooks.',
      'Set `retries` to change how often webhooks are sent.',
      'Webhooks are signed with a secret and sent from the address 10.0.0.1.',
    ],
  },
  {
    text: 'The editor saves your changes automatically. You should close the preview before publishing. Members cannot delete comments unless they wrote them.',
    paraphrases: [
      'Your changes are saved automatically by the editor.',
      'Your changes are saved automatically.',
      'You should close the preview before you publish.',
      'Before publishing, you should close the preview.',
      'Unless they wrote them, members cannot delete comments.',
      "Members can't remove comments unless they wrote them.",
    ],
  },
]

export const GERMAN: readonly Sample[] = [
  {
    text: 'Eine fehlgeschlagene Zustellung wird dreimal wiederholt. Gäste dürfen öffentliche Bereiche lesen. Sicherungen werden 30 Tage aufbewahrt.',
    paraphrases: [
      'Fehlgeschlagene Zustellungen werden dreimal wiederholt.',
      'Öffentliche Bereiche dürfen von Gästen gelesen werden.',
      'Ein Gast darf öffentliche Bereiche lesen.',
      'Die Sicherungen werden 30 Tage lang aufbewahrt.',
      '30 Tage werden Sicherungen aufbewahrt.',
    ],
  },
  {
    text: 'Nur Administratoren können ein Projekt löschen. Gelöschte Projekte lassen sich nicht wiederherstellen. Der Schlüssel läuft nach 90 Minuten ab.',
    paraphrases: [
      'Ein Projekt können nur Administratoren löschen.',
      'Nur Administratoren können ein Projekt entfernen.',
      'Gelöschte Projekte lassen sich nicht wiederherstellen.',
      'Nach 90 Minuten läuft der Schlüssel ab.',
      'Schlüssel laufen nach 90 Minuten ab.',
    ],
  },
  {
    text: 'Wenn der Server nicht antwortet, wartet der Client 5 Sekunden. Ändern Sie die Einstellung in der Datei `config.yml`. Bilder über 10 MB werden abgelehnt.',
    paraphrases: [
      'Der Client wartet 5 Sekunden, wenn der Server nicht antwortet.',
      'Falls der Server nicht antwortet, wartet der Client fünf Sekunden.',
      'In der Datei `config.yml` ändern Sie die Einstellung.',
      'Ändern Sie die Konfiguration in der Datei `config.yml`.',
      'Ein Bild über 10 MB wird abgelehnt.',
      'Fotos über 10 MB werden abgelehnt.',
    ],
  },
  {
    text: 'Der Editor speichert Änderungen automatisch. Vor dem Veröffentlichen müssen Sie die Vorschau schließen. Ohne Anmeldung sind private Seiten nicht sichtbar.',
    paraphrases: [
      'Änderungen werden vom Editor automatisch gespeichert.',
      'Änderungen speichert der Editor automatisch.',
      'Sie müssen die Vorschau vor dem Veröffentlichen schließen.',
      'Private Seiten sind ohne Anmeldung nicht sichtbar.',
      'Private Seiten sind nicht sichtbar ohne Anmeldung.',
    ],
  },
]
