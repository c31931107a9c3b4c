using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.Json;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Security;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.WebUtilities;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>Gives the server's own refusals a sentence: it refuses what is not HTTP before any middleware runs, with an empty body.</summary>
internal sealed class UnreadableRequests : IObserver<KeyValuePair<string, object?>>
{
    private const string Refused = "Microsoft.AspNetCore.Server.Kestrel.BadRequest";

    /// <summary>Answers them until the application has stopped.</summary>
    public static void AnswerIn(WebApplication app)
    {
        var subscription = app.Services.GetRequiredService<DiagnosticListener>().Subscribe(new UnreadableRequests(), static name => name == Refused);
        app.Lifetime.ApplicationStopped.Register(subscription.Dispose);
    }

    public void OnNext(KeyValuePair<string, object?> value)
    {
        if (value.Value is IFeatureCollection features && features.Get<IHttpResponseFeature>() is { HasStarted: false }
            && features.Get<IBadRequestExceptionFeature>()?.Error is BadHttpRequestException error)
        {
            features.Get<UnreadOutput>()?.End(AnswerFor(error));
        }
    }

    public void OnCompleted()
    {
    }

    public void OnError(Exception error)
    {
    }

    private static byte[] AnswerFor(BadHttpRequestException error)
    {
        var problem = Problems.BadRequest(
            $"The server cannot read the request: {error.Message.TrimEnd('.')}. Percent-encode what is not ASCII in the path and the query (\u00E9 is %C3%A9), and check the headers.", "") with
        { Status = error.StatusCode };
        var body = JsonSerializer.SerializeToUtf8Bytes(problem with { Detail = ShownText.For(default, problem.Detail) }, ProblemJson.Default.Problem);
        var head = string.Create(
            CultureInfo.InvariantCulture,
            $"HTTP/1.1 {error.StatusCode} {ReasonPhrases.GetReasonPhrase(error.StatusCode)}\r\nContent-Type: application/problem+json\r\nContent-Length: {body.Length}\r\nConnection: close\r\n\r\n");
        return [.. Encoding.ASCII.GetBytes(head), .. body];
    }
}
