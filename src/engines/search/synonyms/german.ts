// German synonyms. The wordings on a line mean the same.
export const GERMAN = `
  Bild, Foto, Grafik, Abbildung
  löschen, entfernen, tilgen
  anlegen, erstellen, hinzufügen, erzeugen
  ändern, bearbeiten, anpassen, aktualisieren
  Einstellung, Konfiguration, Option
  einrichten, konfigurieren, einstellen
  einschalten, aktivieren
  ausschalten, deaktivieren
  anmelden, einloggen, Login
  abmelden, ausloggen
  registrieren, Konto anlegen
  Kennwort, Passwort, Zugangsdaten
  Benutzer, Nutzer, Anwender, Mitglied
  Preis, Kosten, Gebühr, Abrechnung
  bezahlen, zahlen, Zahlung, Abrechnung
  Rechnung, Abrechnung, Beleg
  Abo, Abonnement, Tarif, Plan
  kündigen, beenden, stornieren
  Fehler, Problem, Störung
  beheben, lösen
  Handy, Smartphone, mobil
  E-Mail, Mail, Nachricht
  Farbe, Design, Aussehen
  Recht, Berechtigung, Rolle, Zugriff
  Sicherung, Backup, Kopie
  wiederherstellen, zurückspielen
  herunterladen, exportieren, Download
  hochladen, importieren, Upload
  Benachrichtigung, Warnung, Hinweis
  suchen, finden
  Ordner, Verzeichnis
  einladen, Einladung
  teilen, freigeben, veröffentlichen
  Rechner, Computer, Server
  Grenze, Limit, maximal
  Verlauf, Historie, Version
  rückgängig, zurücksetzen
`
