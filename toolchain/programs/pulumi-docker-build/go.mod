module inference-stack-fleet/programs/pulumi-docker-build

go 1.26.0

require github.com/pulumi/pulumi-docker-build v0.0.22

require github.com/pulumi/pulumi-go-provider v1.5.0

require github.com/pulumi/pulumi-java v1.34.0

require github.com/pulumi/pulumi-dotnet/pulumi-language-dotnet/v3 v3.112.1

require github.com/pulumi/pulumi/pkg/v3 v3.259.0

require github.com/pulumi/pulumi/sdk/v3 v3.259.0
