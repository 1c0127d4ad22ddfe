// Package github has the word that begins the name of a key there.
package github

const ReferenceScheme = "github"
