// Presses A with the client that Kiota made of docs/openapi.json, and is refused without a token: URL TOKEN
using Generated;
using Generated.Models;
using Generated.V2.Keys.Tap;
using Microsoft.Kiota.Abstractions.Authentication;
using Microsoft.Kiota.Http.HttpClientLibrary;

var body = new TapPostRequestBody { Keys = [TapPostRequestBody_keys.A], Frames = 3, Wait = true };
using var trusted = new HttpClientRequestAdapter(new BaseBearerTokenAuthenticationProvider(new FixedToken(args[1]))) { BaseUrl = args[0] };
var pressed = await new GatewayClient(trusted).V2.Keys.Tap.PostAsync(body, request => request.Headers.Add("Idempotency-Key", Guid.NewGuid().ToString()));
Console.WriteLine($"pressed for {pressed!.Up - pressed.Down} frames");

using var stranger = new HttpClientRequestAdapter(new AnonymousAuthenticationProvider()) { BaseUrl = args[0] };
try
{
    await new GatewayClient(stranger).V2.Keys.Tap.PostAsync(body);
}
catch (Problem problem)
{
    Console.WriteLine($"{problem.ResponseStatusCode} {problem.Type}");
}

internal sealed class FixedToken(string token) : IAccessTokenProvider
{
    public AllowedHostsValidator AllowedHostsValidator { get; } = new();

    public Task<string> GetAuthorizationTokenAsync(Uri uri, Dictionary<string, object>? additionalAuthenticationContext = null, CancellationToken cancellationToken = default) => Task.FromResult(token);
}
