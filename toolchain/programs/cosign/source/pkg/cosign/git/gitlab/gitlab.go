// Package gitlab has the word that begins the name of a key there.
package gitlab

const ReferenceScheme = "gitlab"
