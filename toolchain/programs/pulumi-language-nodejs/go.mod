module inference-stack-fleet/programs/pulumi-language-nodejs

go 1.25.0

require github.com/pulumi/pulumi/sdk/nodejs/cmd/pulumi-language-nodejs/v3 v3.0.0-20250718110245-a8f88047ab64

require github.com/pulumi/pulumi/pkg/v3 v3.184.0

require github.com/pulumi/pulumi/sdk/v3 v3.184.0

