// French synonyms. The wordings on a line mean the same.
export const FRENCH = `
  image, photo, illustration
  supprimer, effacer, retirer, enlever
  créer, ajouter
  modifier, changer, éditer, mettre à jour
  paramètre, réglage, option, configuration
  activer, allumer
  désactiver, éteindre
  connexion, se connecter, authentification, identifier
  déconnexion, se déconnecter
  inscription, créer un compte
  mot de passe, identifiants
  utilisateur, membre
  prix, tarif, coût, facturation
  payer, paiement, facturation
  facture, facturation
  abonnement, forfait, offre
  annuler, résilier
  erreur, problème, panne
  résoudre, corriger
  téléphone, mobile, portable
  courriel, e-mail, email, message
  couleur, apparence, thème
  droit, permission, rôle, accès
  sauvegarde, copie
  restaurer, récupérer
  télécharger, exporter
  importer, téléverser
  notification, alerte, avertissement
  chercher, rechercher, trouver
  dossier, répertoire
  inviter, invitation
  partager, publier
  limite, maximum, quota
`
