using System.Text.Json.Nodes;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Security;
using Microsoft.AspNetCore.OpenApi;
using Microsoft.AspNetCore.Routing.Patterns;
using Microsoft.OpenApi;

namespace MgbaBridge.Gateway.Interfaces.OpenApi;

/// <summary>Writes the document's paths from the <see cref="OperationDescription"/> that each endpoint carries. Endpoints are request delegates, which the
/// generator does not see by itself.</summary>
internal sealed class OperationsTransformer(EndpointDataSource endpoints) : IOpenApiDocumentTransformer
{
    private const string OperationName = "x-operation"; // as in GET /v2/operations; generated clients name their methods by it
    private const string RoleName = "x-role";

    public async Task TransformAsync(OpenApiDocument document, OpenApiDocumentTransformerContext context, CancellationToken cancellationToken)
    {
        var schemas = new SchemaRegistry(document, context);
        var failures = new FailureResponses(document, schemas);
        document.Paths = [];
        var described = endpoints.Endpoints.OfType<RouteEndpoint>()
            .Where(endpoint => endpoint.Metadata.GetMetadata<OperationDescription>() is not null && !endpoint.RoutePattern.RawText!.StartsWith("/i/{", StringComparison.Ordinal))
            .OrderBy(endpoint => endpoint.RoutePattern.RawText, StringComparer.Ordinal);
        foreach (var endpoint in described)
        {
            foreach (var method in endpoint.Metadata.GetRequiredMetadata<IHttpMethodMetadata>().HttpMethods)
            {
                await AddAsync(document, endpoint, method, schemas, failures, cancellationToken);
            }
        }
    }

    private static async Task AddAsync(OpenApiDocument document, RouteEndpoint endpoint, string method, SchemaRegistry schemas, FailureResponses failures, CancellationToken cancellationToken)
    {
        var description = endpoint.Metadata.GetRequiredMetadata<OperationDescription>();
        var path = Plain(endpoint.RoutePattern);
        var declared = endpoint.Metadata.GetMetadata<Operation>();
        var role = endpoint.Metadata.GetRequiredMetadata<RequiredRole>().Role;
        var served = new ServedOperation(description, declared, method, role, declared is not { IsPerEmulator: false } || endpoint.RoutePattern.GetParameter(HttpRequests.IdRoute) is not null);
        if (!document.Paths.TryGetValue(path, out var item))
        {
            item = new OpenApiPathItem { Operations = [] };
            document.Paths.Add(path, item);
        }

        var operation = new OpenApiOperation
        {
            OperationId = IdOf(description.Name),
            Summary = description.Summary,
            Description = $"{description.Description} {(role == Role.None ? "Needs no token." : $"Needs the role `{role.Name()}`.")}".TrimStart(),
            Tags = new HashSet<OpenApiTagReference> { new(description.Tag, document) },
            Parameters =
            [
                .. endpoint.RoutePattern.Parameters.Where(part => description.In(ParameterPlace.Path).All(parameter => parameter.PathName != part.Name)).Select(InPath),
                .. await ParametersAsync(description, schemas, cancellationToken),
                .. HttpInputs.Of(description).Select(Outside),
                .. Idempotency.IsFor(method, declared) ? [Outside(HttpInputs.IdempotencyKey)] : Array.Empty<OpenApiParameter>(),
            ],
            Responses = await ResponsesAsync(description, schemas, cancellationToken),
            Security = role == Role.None ? [] : null, // else that of the document
            Extensions = new Dictionary<string, IOpenApiExtension>(),
        };
        await failures.AddAsync(operation.Responses, served, cancellationToken);
        if (declared is not null)
        {
            operation.Extensions[OperationName] = new JsonNodeExtension(JsonValue.Create(declared.Name));
            operation.Servers = declared.IsPerEmulator ? null : [new OpenApiServer { Url = "/" }]; // not below /i/{id}
        }

        if (role != Role.None)
        {
            operation.Extensions[RoleName] = new JsonNodeExtension(JsonValue.Create(role.Name()));
        }

        if (description.Body is { } body)
        {
            operation.RequestBody = new OpenApiRequestBody
            {
                Required = !description.BodyIsOptional,
                Content = new Dictionary<string, OpenApiMediaType>
                {
                    [body.MediaType] = description.PropertiesOfTheBody.Any() ? await PropertiesAsync(description, schemas, cancellationToken) : await schemas.MediaAsync(body, cancellationToken),
                },
            };
        }

        ((OpenApiPathItem)item).AddOperation(HttpMethod.Parse(method), operation);
    }

    private static async Task<OpenApiResponses> ResponsesAsync(OperationDescription description, SchemaRegistry schemas, CancellationToken cancellationToken)
    {
        var success = new OpenApiResponse { Description = "Done.", Content = new Dictionary<string, OpenApiMediaType>() };
        foreach (var answer in description.Contents)
        {
            success.Content[answer.MediaType] = await schemas.MediaAsync(answer, cancellationToken);
        }

        if (description.UsesEmulator)
        {
            success.Headers = new Dictionary<string, IOpenApiHeader>
            {
                [Headers.Frame] = Header("The script's count of frames when it ran. It never goes back.", JsonSchemaType.Integer),
                [Headers.EpochHeader] = Header("Eight hex digits that change when the script or the game does.", JsonSchemaType.String),
            };
        }

        var responses = new OpenApiResponses();
        if (description.Contents.Count > 0)
        {
            responses["200"] = success;
        }

        foreach (var note in description.Statuses.Where(static note => !note.IsFailure))
        {
            responses[$"{note.Status}"] = new OpenApiResponse { Description = note.When };
        }

        if (description.HasEntityTag)
        {
            responses["304"] = new OpenApiResponse { Description = "The caller has these very bytes." };
        }

        return responses;
    }

    private static OpenApiHeader Header(string description, JsonSchemaType type) => new() { Description = description, Schema = new OpenApiSchema { Type = type } };

    private static OpenApiParameter InPath(RoutePatternParameterPart part) => new()
    {
        Name = part.Name,
        In = ParameterLocation.Path,
        Required = true,
        Schema = new OpenApiSchema { Type = JsonSchemaType.String },
    };

    private static async Task<OpenApiMediaType> PropertiesAsync(OperationDescription description, SchemaRegistry schemas, CancellationToken cancellationToken) => new()
    {
        Schema = await ParameterSchemas.ObjectAsync(description.PropertiesOfTheBody, null, json => schemas.OfAsync(json.Type, cancellationToken)),
        Example = description.BodyExample is { } example ? JsonNode.Parse(example) : null,
    };

    private static async Task<List<OpenApiParameter>> ParametersAsync(OperationDescription description, SchemaRegistry schemas, CancellationToken cancellationToken)
    {
        var found = new List<OpenApiParameter>();
        foreach (var (parameter, place) in description.Parameters.Zip(description.Places).Where(one => one.Second < ParameterPlace.Property))
        {
            found.Add(new OpenApiParameter
            {
                Name = place == ParameterPlace.Path ? parameter.PathName : parameter.Name,
                In = place switch { ParameterPlace.Path => ParameterLocation.Path, ParameterPlace.Query => ParameterLocation.Query, _ => ParameterLocation.Header },
                Required = parameter.IsRequired,
                Description = parameter.Sentence,
                Schema = await ParameterSchemas.OfAsync(parameter, json => schemas.OfAsync(json.Type, cancellationToken)),
                Explode = parameter.Shape.JsonType != "array", // a list is one text with commas
                Example = (parameter.Example ?? parameter.Shape.Default) is not { } example ? null : parameter.Shape.JsonType switch
                {
                    "integer" or "number" or "boolean" => JsonNode.Parse(example),
                    "array" => new JsonArray([.. example.Split(',').Select(static item => JsonValue.Create(item))]),
                    _ => JsonValue.Create(example),
                },
            });
        }

        return found;
    }

    private static OpenApiParameter Outside(Input input) => new()
    {
        Name = input.Name,
        In = input.IsHeader ? ParameterLocation.Header : ParameterLocation.Query,
        Required = input.IsRequired,
        Description = input.Description,
        Schema = new OpenApiSchema { Type = input.IsInteger ? JsonSchemaType.Integer : JsonSchemaType.String },
        Example = input.IsInteger ? JsonNode.Parse(input.Example) : JsonValue.Create(input.Example),
    };

    private static string Plain(RoutePattern pattern) =>
        string.Concat(pattern.PathSegments.Select(segment => "/" + string.Concat(segment.Parts.Select(part => part switch
        {
            RoutePatternParameterPart parameter => $"{{{parameter.Name}}}",
            RoutePatternLiteralPart literal => literal.Content,
            _ => "",
        }))));

    // keys.tap is keysTap
    internal static string IdOf(string name) => string.Concat(name.Split('.', '-').Select(static (word, at) => at == 0 ? word : char.ToUpperInvariant(word[0]) + word[1..]));
}
